#include <array>

#include "model/cards.h"

// One row a card: its figures stand side by side, as in the data sheets they come from.
namespace explog {
namespace {

constexpr const char* pascal = "NVIDIA Pascal data sheets";
constexpr const char* volta = "NVIDIA V100 data sheet and Tesla V100 white paper";
constexpr const char* turing = "NVIDIA Turing GPU Architecture white paper";
constexpr const char* turing_pages = "NVIDIA product page; rates from cores x boost clock";
constexpr const char* a100 = "NVIDIA A100 data sheet and A100 white paper";
constexpr const char* ampere = "NVIDIA Ampere GA102 GPU Architecture white paper";
constexpr const char* ampere_sheet = "NVIDIA data sheet of the card (Ampere)";
constexpr const char* orin = "NVIDIA Jetson Orin series data sheets";
constexpr const char* xavier = "NVIDIA Jetson Xavier series data sheets";
constexpr const char* ada = "NVIDIA Ada GPU Architecture white paper";
constexpr const char* ada_sheet = "NVIDIA data sheet of the card (Ada)";
constexpr const char* hopper = "NVIDIA H100 data sheet and H100 white paper";
constexpr const char* h200 = "NVIDIA H200 data sheet";
constexpr const char* gh200 = "NVIDIA GH200 Grace Hopper data sheet";
constexpr const char* export_hopper = "published specification of the export card; not on an NVIDIA page";
constexpr const char* blackwell = "NVIDIA Blackwell data sheet (HGX, GB200 NVL72), a GPU";
constexpr const char* ultra = "NVIDIA Blackwell Ultra data sheet (HGX B300, GB300 NVL72), a GPU";
constexpr const char* rtx50 = "NVIDIA RTX Blackwell GPU Architecture white paper";
constexpr const char* rtx50_pages = "NVIDIA product page; tensor rates by the white paper's ratios";
constexpr const char* pro = "NVIDIA RTX PRO Blackwell data sheet and white paper";
constexpr const char* thor = "NVIDIA Jetson Thor data sheet";
constexpr const char* spark = "NVIDIA DGX Spark data sheet";
constexpr const char* laptop = "NVIDIA laptop comparison page; rates depend on the power limit";

// clang-format off
constexpr Card all_cards[] = {
    // name, words, arch, SMs, GB, GB/s, fp64, fp32, tf32, f16, fp8, int8, source
    {"P100", "tesla sxm2 pcie 16gb 12gb", "sm_60", 56, 16, 732, 5.3, 10.6, 0, 0, 0, 0, pascal},
    {"P40", "tesla 24gb", "sm_61", 30, 24, 346, 0, 11.8, 0, 0, 0, 0, pascal},
    {"P4", "tesla 8gb", "sm_61", 20, 8, 192, 0, 5.5, 0, 0, 0, 0, pascal},
    {"Titan Xp", "12gb", "sm_61", 30, 12, 548, 0, 12.1, 0, 0, 0, 0, pascal},
    {"GTX 1080 Ti", "11gb", "sm_61", 28, 11, 484, 0, 11.3, 0, 0, 0, 0, pascal},
    {"GTX 1080", "8gb", "sm_61", 20, 8, 320, 0, 8.9, 0, 0, 0, 0, pascal},
    {"GTX 1070", "8gb", "sm_61", 15, 8, 256, 0, 6.5, 0, 0, 0, 0, pascal},
    {"GTX 1060", "6gb", "sm_61", 10, 6, 192, 0, 4.4, 0, 0, 0, 0, pascal},

    {"V100 SXM2", "tesla 16gb 32gb sxm", "sm_70", 80, 16, 900, 7.8, 15.7, 0, 125, 0, 0, volta},
    {"V100 PCIe", "tesla 16gb 32gb", "sm_70", 80, 16, 900, 7, 14, 0, 112, 0, 0, volta},
    {"V100S", "tesla pcie 32gb", "sm_70", 80, 32, 1134, 8.2, 16.4, 0, 130, 0, 0, volta},
    {"Titan V", "12gb", "sm_70", 80, 12, 653, 7.4, 14.9, 0, 110, 0, 0, volta},
    {"GV100", "quadro 32gb", "sm_70", 80, 32, 870, 7.4, 14.8, 0, 118.5, 0, 0, volta},
    {"Jetson AGX Xavier", "32gb 64gb", "sm_72", 8, 32, 137, 0, 1.4, 0, 11.3, 0, 22.6, xavier},
    {"Jetson Xavier NX", "8gb 16gb", "sm_72", 6, 8, 59.7, 0, 0.84, 0, 6.8, 0, 12.3, xavier},

    {"T4", "tesla 16gb", "sm_75", 40, 16, 320, 0.25, 8.1, 0, 65, 0, 130, turing},
    {"Titan RTX", "24gb", "sm_75", 72, 24, 672, 0.51, 16.3, 0, 130.5, 0, 261, turing},
    {"Quadro RTX 8000", "48gb", "sm_75", 72, 48, 672, 0.51, 16.3, 0, 130.5, 0, 261, turing},
    {"Quadro RTX 6000", "24gb", "sm_75", 72, 24, 672, 0.51, 16.3, 0, 130.5, 0, 261, turing},
    {"Quadro RTX 5000", "16gb", "sm_75", 48, 16, 448, 0.35, 11.2, 0, 89.2, 0, 178.4, turing},
    {"Quadro RTX 4000", "8gb", "sm_75", 36, 8, 416, 0.22, 7.1, 0, 57, 0, 114, turing_pages},
    {"RTX 2080 Ti", "11gb", "sm_75", 68, 11, 616, 0, 13.4, 0, 53.8, 0, 215.2, turing},
    {"RTX 2080 Super", "8gb", "sm_75", 48, 8, 496, 0, 11.2, 0, 44.6, 0, 178.4, turing_pages},
    {"RTX 2080", "8gb", "sm_75", 46, 8, 448, 0, 10.1, 0, 40.3, 0, 161.1, turing},
    {"RTX 2070 Super", "8gb", "sm_75", 40, 8, 448, 0, 9.1, 0, 36.3, 0, 145, turing_pages},
    {"RTX 2070", "8gb", "sm_75", 36, 8, 448, 0, 7.5, 0, 29.9, 0, 119.4, turing},
    {"RTX 2060 Super", "8gb", "sm_75", 34, 8, 448, 0, 7.2, 0, 28.7, 0, 114.9, turing_pages},
    {"RTX 2060", "6gb", "sm_75", 30, 6, 336, 0, 6.5, 0, 25.8, 0, 103.2, turing_pages},
    {"GTX 1660 Ti", "6gb", "sm_75", 24, 6, 288, 0, 5.4, 0, 0, 0, 0, turing_pages},
    {"GTX 1660 Super", "6gb", "sm_75", 22, 6, 336, 0, 5, 0, 0, 0, 0, turing_pages},
    {"GTX 1660", "6gb", "sm_75", 22, 6, 192, 0, 5, 0, 0, 0, 0, turing_pages},
    {"GTX 1650 Super", "4gb", "sm_75", 20, 4, 192, 0, 4.4, 0, 0, 0, 0, turing_pages},
    {"GTX 1650", "4gb", "sm_75", 14, 4, 128, 0, 3, 0, 0, 0, 0, turing_pages},

    {"A100 SXM4 80GB", "sxm", "sm_80", 108, 80, 2039, 9.7, 19.5, 156, 312, 0, 624, a100},
    {"A100 PCIe 80GB", "", "sm_80", 108, 80, 1935, 9.7, 19.5, 156, 312, 0, 624, a100},
    {"A100 SXM4 40GB", "sxm", "sm_80", 108, 40, 1555, 9.7, 19.5, 156, 312, 0, 624, a100},
    {"A100 PCIe 40GB", "", "sm_80", 108, 40, 1555, 9.7, 19.5, 156, 312, 0, 624, a100},
    {"A800", "sxm4 sxm pcie 80gb 40gb", "sm_80", 108, 80, 2039, 9.7, 19.5, 156, 312, 0, 624, a100},
    {"A30", "24gb pcie", "sm_80", 56, 24, 933, 5.2, 10.3, 82, 165, 0, 330, ampere_sheet},
    {"A40", "48gb pcie", "sm_86", 84, 48, 696, 0, 37.4, 74.8, 149.7, 0, 299.3, ampere},
    {"A10", "24gb pcie", "sm_86", 72, 24, 600, 0, 31.2, 62.5, 125, 0, 250, ampere_sheet},
    {"A10G", "24gb", "sm_86", 80, 24, 600, 0, 35, 35, 70, 0, 140, ampere_sheet},
    {"A2", "16gb", "sm_86", 10, 16, 200, 0, 4.5, 9, 18, 0, 36, ampere_sheet},
    {"RTX A6000", "48gb quadro", "sm_86", 84, 48, 768, 0, 38.7, 77.4, 154.8, 0, 309.7, ampere},
    {"RTX A5500", "24gb quadro", "sm_86", 80, 24, 768, 0, 34.1, 68.2, 136.4, 0, 272.8, ampere_sheet},
    {"RTX A5000", "24gb quadro", "sm_86", 64, 24, 768, 0, 27.8, 55.6, 111.1, 0, 222.2, ampere_sheet},
    {"RTX A4500", "20gb quadro", "sm_86", 56, 20, 640, 0, 23.7, 47.3, 94.6, 0, 189.2, ampere_sheet},
    {"RTX A4000", "16gb quadro", "sm_86", 48, 16, 448, 0, 19.2, 38.3, 76.7, 0, 153.4, ampere_sheet},
    {"RTX A2000", "6gb 12gb quadro", "sm_86", 26, 12, 288, 0, 8, 16, 31.9, 0, 63.9, ampere_sheet},
    {"RTX 3090 Ti", "24gb", "sm_86", 84, 24, 1008, 0, 40, 40, 80, 0, 320, ampere},
    {"RTX 3090", "24gb", "sm_86", 82, 24, 936, 0, 35.6, 35.6, 71, 0, 284, ampere},
    {"RTX 3080 Ti", "12gb", "sm_86", 80, 12, 912, 0, 34.1, 34.1, 68.2, 0, 272.8, ampere},
    {"RTX 3080", "10gb", "sm_86", 68, 10, 760, 0, 29.8, 29.8, 59.5, 0, 238, ampere},
    {"RTX 3080 12GB", "", "sm_86", 70, 12, 912, 0, 30.6, 30.6, 61.3, 0, 245, ampere},
    {"RTX 3070 Ti", "8gb", "sm_86", 48, 8, 608, 0, 21.7, 21.7, 43.5, 0, 174, ampere},
    {"RTX 3070", "8gb", "sm_86", 46, 8, 448, 0, 20.3, 20.3, 40.6, 0, 162.6, ampere},
    {"RTX 3060 Ti", "8gb", "sm_86", 38, 8, 448, 0, 16.2, 16.2, 32.4, 0, 129.6, ampere},
    {"RTX 3060", "12gb", "sm_86", 28, 12, 360, 0, 12.7, 12.7, 25.5, 0, 102, ampere},
    {"RTX 3050", "8gb", "sm_86", 20, 8, 224, 0, 9.1, 9.1, 18.2, 0, 73, ampere},
    {"RTX 3080 Laptop", "16gb 8gb", "sm_86", 48, 16, 448, 0, 0, 0, 0, 0, 0, laptop},
    {"RTX 3070 Laptop", "8gb", "sm_86", 40, 8, 448, 0, 0, 0, 0, 0, 0, laptop},
    {"RTX 3060 Laptop", "6gb", "sm_86", 30, 6, 336, 0, 0, 0, 0, 0, 0, laptop},
    {"Jetson AGX Orin 64GB", "", "sm_87", 16, 64, 204.8, 0, 5.3, 0, 42.5, 0, 85, orin},
    {"Jetson AGX Orin 32GB", "", "sm_87", 14, 32, 204.8, 0, 3.3, 0, 27, 0, 54, orin},
    {"Jetson Orin NX 16GB", "", "sm_87", 8, 16, 102.4, 0, 1.9, 0, 15, 0, 30, orin},
    {"Jetson Orin NX 8GB", "", "sm_87", 8, 8, 102.4, 0, 1.6, 0, 12.5, 0, 25, orin},
    {"Jetson Orin Nano 8GB", "", "sm_87", 8, 8, 68, 0, 1.3, 0, 10, 0, 20, orin},
    {"Jetson Orin Nano Super", "8gb", "sm_87", 8, 8, 102, 0, 2.1, 0, 16.7, 0, 33.5, orin},

    {"L4", "24gb", "sm_89", 58, 24, 300, 0.47, 30.3, 60, 121, 242.5, 242.5, ada_sheet},
    {"L40", "48gb", "sm_89", 142, 48, 864, 1.4, 90.5, 90.5, 181, 362, 362, ada_sheet},
    {"L40S", "48gb", "sm_89", 142, 48, 864, 1.4, 91.6, 183, 362, 733, 733, ada_sheet},
    {"L20", "48gb", "sm_89", 92, 48, 864, 0, 59.8, 59.8, 119.5, 239, 239, ada_sheet},
    {"RTX 6000 Ada", "48gb", "sm_89", 142, 48, 960, 1.4, 91.1, 182.1, 364.2, 728.5, 728.5, ada},
    {"RTX 5880 Ada", "48gb", "sm_89", 110, 48, 960, 0, 69.3, 138.6, 277, 554, 554, ada_sheet},
    {"RTX 5000 Ada", "32gb", "sm_89", 100, 32, 576, 0, 65.3, 130.6, 261.1, 522.2, 522.2, ada_sheet},
    {"RTX 4500 Ada", "24gb", "sm_89", 60, 24, 432, 0, 39.6, 79.2, 158.5, 317, 317, ada_sheet},
    {"RTX 4000 Ada", "20gb sff", "sm_89", 48, 20, 360, 0, 26.7, 53.4, 106.9, 213.8, 213.8, ada_sheet},
    {"RTX 2000 Ada", "16gb", "sm_89", 22, 16, 224, 0, 12, 24, 48, 96, 96, ada_sheet},
    {"RTX 4090", "24gb", "sm_89", 128, 24, 1008, 1.29, 82.6, 82.6, 165.2, 330.3, 660.6, ada},
    {"RTX 4090 D", "24gb", "sm_89", 114, 24, 1008, 1.15, 73.5, 73.5, 147.1, 294.2, 588.3, ada_sheet},
    {"RTX 4080 Super", "16gb", "sm_89", 80, 16, 736, 0, 52.2, 52.2, 104.4, 208.9, 417.7, ada_sheet},
    {"RTX 4080", "16gb", "sm_89", 76, 16, 717, 0, 48.7, 48.7, 97.5, 194.9, 389.9, ada},
    {"RTX 4070 Ti Super", "16gb", "sm_89", 66, 16, 672, 0, 44.1, 44.1, 88.2, 176.4, 352.8, ada_sheet},
    {"RTX 4070 Ti", "12gb", "sm_89", 60, 12, 504, 0, 40.1, 40.1, 80.2, 160.4, 320.7, ada},
    {"RTX 4070 Super", "12gb", "sm_89", 56, 12, 504, 0, 35.5, 35.5, 71, 141.9, 283.8, ada_sheet},
    {"RTX 4070", "12gb", "sm_89", 46, 12, 504, 0, 29.1, 29.1, 58.3, 116.6, 233.2, ada},
    {"RTX 4060 Ti", "8gb 16gb", "sm_89", 34, 8, 288, 0, 22.1, 22.1, 44.1, 88.3, 176.5, ada},
    {"RTX 4060", "8gb", "sm_89", 24, 8, 272, 0, 15.1, 15.1, 30.2, 60.5, 121, ada},
    {"RTX 4090 Laptop", "16gb", "sm_89", 76, 16, 576, 0, 0, 0, 0, 0, 0, laptop},
    {"RTX 4080 Laptop", "12gb", "sm_89", 58, 12, 432, 0, 0, 0, 0, 0, 0, laptop},
    {"RTX 4070 Laptop", "8gb", "sm_89", 36, 8, 256, 0, 0, 0, 0, 0, 0, laptop},
    {"RTX 4060 Laptop", "8gb", "sm_89", 24, 8, 256, 0, 0, 0, 0, 0, 0, laptop},

    {"H100 SXM5", "sxm 80gb hbm3", "sm_90", 132, 80, 3352, 34, 67, 494.7, 989.4, 1978.9, 1978.9, hopper},
    {"H100 PCIe", "80gb hbm2e", "sm_90", 114, 80, 2039, 26, 51, 378, 756, 1513, 1513, hopper},
    {"H100 NVL", "94gb hbm3", "sm_90", 132, 94, 3938, 30, 60, 417.5, 835.5, 1671, 1671, hopper},
    {"H200", "sxm sxm5 141gb hbm3e", "sm_90", 132, 141, 4800, 34, 67, 494.7, 989.4, 1978.9, 1978.9, h200},
    {"H200 NVL", "141gb hbm3e", "sm_90", 132, 141, 4800, 30, 60, 417.5, 835.5, 1671, 1671, h200},
    {"GH200 96GB", "480gb hbm3", "sm_90", 132, 96, 4000, 34, 67, 494.7, 989.4, 1978.9, 1978.9, gh200},
    {"GH200 144GB", "hbm3e", "sm_90", 132, 144, 4900, 34, 67, 494.7, 989.4, 1978.9, 1978.9, gh200},
    {"H800", "sxm sxm5 pcie 80gb", "sm_90", 132, 80, 3352, 1, 67, 494.7, 989.4, 1978.9, 1978.9, export_hopper},
    {"H20", "96gb hbm3", "sm_90", 78, 96, 4000, 1, 44, 74, 148, 296, 296, export_hopper},

    {"B200", "sxm sxm6 180gb 192gb hbm3e", "sm_100", 148, 180, 7700, 37, 75, 1125, 2250, 4500, 4500, blackwell},
    {"B100", "sxm sxm6 192gb hbm3e", "sm_100", 148, 192, 8000, 30, 60, 900, 1750, 3500, 3500, blackwell},
    {"GB200", "nvl72 186gb 192gb hbm3e", "sm_100", 152, 186, 8000, 40, 80, 1250, 2500, 5000, 5000, blackwell},
    {"B300", "sxm sxm6 270gb 288gb hbm3e", "sm_103", 148, 270, 8000, 1.2, 75, 1125, 2250, 4500, 0, ultra},
    {"GB300", "nvl72 279gb 288gb hbm3e", "sm_103", 152, 279, 8000, 1.3, 80, 1250, 2500, 5000, 0, ultra},
    {"Jetson AGX Thor", "128gb t5000", "sm_110", 20, 128, 273, 0, 8.1, 0, 258.5, 517, 0, thor},

    {"RTX PRO 6000 Blackwell", "96gb workstation", "sm_120", 188, 96, 1792, 2, 126, 251.9, 503.8, 1007.6, 1007.6, pro},
    {"RTX PRO 6000 Blackwell Max-Q", "96gb", "sm_120", 188, 96, 1792, 0, 110, 219.5, 438.9, 877.9, 877.9, pro},
    {"RTX PRO 6000 Blackwell Server", "96gb", "sm_120", 188, 96, 1597, 0, 120, 0, 0, 0, 0, pro},
    {"RTX PRO 5000 Blackwell", "48gb 72gb", "sm_120", 110, 48, 1344, 0, 73.7, 0, 0, 0, 0, pro},
    {"RTX PRO 4500 Blackwell", "32gb", "sm_120", 82, 32, 896, 0, 54.9, 0, 0, 0, 0, pro},
    {"RTX PRO 4000 Blackwell", "24gb", "sm_120", 70, 24, 672, 0, 46.9, 0, 0, 0, 0, pro},
    {"RTX 5090", "32gb", "sm_120", 170, 32, 1792, 1.64, 104.8, 104.8, 209.5, 419, 838, rtx50},
    {"RTX 5080", "16gb", "sm_120", 84, 16, 960, 0, 56.3, 56.3, 112.6, 225.1, 450.2, rtx50},
    {"RTX 5070 Ti", "16gb", "sm_120", 70, 16, 896, 0, 43.9, 43.9, 87.9, 175.8, 351.5, rtx50},
    {"RTX 5070", "12gb", "sm_120", 48, 12, 672, 0, 30.9, 30.9, 61.7, 123.5, 246.9, rtx50},
    {"RTX 5060 Ti", "8gb 16gb", "sm_120", 36, 16, 448, 0, 23.7, 23.7, 47.4, 94.9, 189.7, rtx50_pages},
    {"RTX 5060", "8gb", "sm_120", 30, 8, 448, 0, 19.2, 19.2, 38.4, 76.7, 153.5, rtx50_pages},
    {"RTX 5050", "8gb", "sm_120", 20, 8, 320, 0, 13.2, 13.2, 26.3, 52.7, 105.4, rtx50_pages},
    {"RTX 5090 Laptop", "24gb", "sm_120", 82, 24, 896, 0, 0, 0, 0, 0, 0, laptop},
    {"RTX 5080 Laptop", "16gb", "sm_120", 60, 16, 896, 0, 0, 0, 0, 0, 0, laptop},
    {"RTX 5070 Laptop", "8gb", "sm_120", 36, 8, 384, 0, 0, 0, 0, 0, 0, laptop},
    {"GB10", "dgx spark 128gb", "sm_121", 48, 128, 273, 0, 31, 0, 0, 0, 0, spark},
};
// clang-format on

}  // namespace

std::span<const Card> cards() { return all_cards; }

}  // namespace explog
