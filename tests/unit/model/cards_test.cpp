#include "model/cards.h"

#include <doctest/doctest.h>

#include <set>

#include "model/arch.h"

using namespace explog;

namespace {

std::string names_of(std::string_view text) {
  std::string names;
  for (const Card* card : cards_named(text)) names += (names.empty() ? "" : "; ") + std::string(card->name);
  return names;
}

}  // namespace

TEST_CASE("cards: every row is whole, and its own name finds it") {
  std::set<std::string_view> names;
  std::size_t since_volta = 0;
  for (const Card& card : cards()) {
    CAPTURE(card.name);
    CHECK(names.insert(card.name).second);
    CHECK(canonical_arch(card.arch) == std::string(card.arch));
    CHECK(peak_of(card.arch));
    CHECK(card.multiprocessors > 0);
    CHECK(card.memory_gb > 0);
    CHECK(card.dram_gb_s > 0);
    CHECK_FALSE(card.source.empty());
    CHECK(names_of(card.name) == card.name);
    CHECK(canonical_arch(card.name) == std::string(card.arch));
    since_volta += *sm_number(card.arch) >= 70;
  }
  CHECK(since_volta >= 100);
}

// A slip of a digit or a column breaks one of these.
TEST_CASE("cards: rates follow from one another as the architectures have it") {
  for (const Card& card : cards()) {
    CAPTURE(card.name);
    CHECK(card.dram_gb_s <= peak_of(card.arch)->dram_gb_s * 1.001);
    CHECK(card.fp32 <= peak_of(card.arch)->fp32_tflops * 1.001);
    if (card.fp32 > 0 && card.name != "H20") {  // cores of one SM x its clock: 0.6 to 2.9 GHz
      double cores = card.arch == "sm_60" || card.arch == "sm_70" || card.arch == "sm_72" ||
                             card.arch == "sm_75" || card.arch == "sm_80"
                         ? 64
                         : 128;
      double ghz = card.fp32 * 1e3 / (card.multiprocessors * cores * 2);
      CHECK(ghz > 0.6);
      CHECK(ghz < 2.9);
    }
    if (card.f16 > 0 && card.tf32 > 0) CHECK(card.f16 / card.tf32 == doctest::Approx(2).epsilon(0.03));
    if (card.fp8 > 0) CHECK(card.fp8 / card.f16 == doctest::Approx(2).epsilon(0.03));
    if (card.f16 > 0) CHECK(card.f16 >= card.fp32 * 1.9);
    if (card.int8 > 0) CHECK(card.int8 >= card.f16 * 1.8);
  }
}

TEST_CASE("cards: a person's words for them") {
  CHECK(names_of("4090") == "RTX 4090");
  CHECK(names_of("rtx4090") == "RTX 4090");
  CHECK(names_of("NVIDIA GeForce RTX 4090") == "RTX 4090");
  CHECK(names_of("RTX 4090 Laptop GPU") == "RTX 4090 Laptop");
  CHECK(names_of("5070ti") == "RTX 5070 Ti");
  CHECK(names_of("GTX 1650") == "GTX 1650");
  CHECK(names_of("RTX 5070") == "RTX 5070");
  CHECK(names_of("L40S") == "L40S");
  CHECK(names_of("H100 PCIe") == "H100 PCIe");
  CHECK(names_of("NVIDIA H100 80GB HBM3") == "H100 SXM5");
  CHECK(names_of("H100") == "H100 SXM5; H100 PCIe; H100 NVL");
  CHECK(names_of("NVIDIA A100-SXM4-80GB") == "A100 SXM4 80GB");
  CHECK(names_of("A100-PCIE-40GB") == "A100 PCIe 40GB");
  CHECK(names_of("Tesla V100-SXM2-16GB") == "V100 SXM2");
  CHECK(names_of("A6000") == "RTX A6000");
  CHECK(names_of("NVIDIA RTX 6000 Ada Generation") == "RTX 6000 Ada");
  CHECK(names_of("NVIDIA RTX PRO 6000 Blackwell Workstation Edition") == "RTX PRO 6000 Blackwell");
  CHECK(names_of("DGX Spark") == "GB10");
}

TEST_CASE("cards: words that name none") {
  for (const char* text : {"", "ti", "pro", "16gb", "titan", "jetson", "geforce", "hbm3", "turing", "A1000x",
                           "MI300X", "RTX", "9090", "H1000", "RTX 4090 Ultra"}) {
    CAPTURE(text);
    CHECK(names_of(text).empty());
  }
}

TEST_CASE("cards: the arch of what is only begun by a card's name, and of what is several") {
  CHECK(canonical_arch("H100 MIG 3g.40gb") == "sm_90");
  CHECK(canonical_arch("H100") == "sm_90");
  CHECK_FALSE(canonical_arch("RTX 6000"));
  CHECK(arch_hint("RTX 6000").find("Quadro RTX 6000 (sm_75), RTX 6000 Ada (sm_89)") != std::string::npos);
  CHECK(arch_hint("RTX 4900") == " (did you mean 'RTX 4090'?)");
  CHECK(arch_hint("sm_9O") == " (did you mean 'sm_90'?)");
}
