#include "model/arch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"
#include "model/cards.h"

namespace explog {
namespace {

struct Arch {
  int sm;          // compute capability times ten
  int generation;  // neighbours differ by one
  Peak peak;
};

// Generations: Kepler 0, Maxwell 1, Pascal 2, Volta 3, Turing 4, Ampere 5, Ada 6, Hopper 7, Blackwell 8.
// Peaks: the largest card of each arch (K80, Titan X, P100, 1080 Ti, V100, Titan RTX, A100-80, 3090 Ti, Orin,
// 4090/L40S, H200, B200, B300, Thor, RTX PRO 6000, GB10).
constexpr std::array<Arch, 21> archs = {
    {{35, 0, {480, 8.7, 0}},      {37, 0, {480, 8.7, 0}},        {50, 1, {90, 1.9, 0}},
     {52, 1, {340, 7.0, 0}},      {53, 1, {26, 0.5, 0}},         {60, 2, {732, 10.6, 0}},
     {61, 2, {548, 12.2, 0}},     {62, 2, {60, 0.8, 0}},         {70, 3, {1134, 16.4, 131}},
     {72, 3, {137, 1.4, 23}},     {75, 4, {672, 16.4, 524}},     {80, 5, {2039, 19.5, 1248}},
     {86, 5, {1008, 40.0, 1280}}, {87, 5, {205, 5.4, 170}},      {89, 6, {1010, 91.6, 1466}},
     {90, 7, {4900, 67.0, 1979}}, {100, 8, {8000, 80.0, 10000}}, {103, 8, {8000, 80.0, 15000}},
     {110, 8, {273, 8.1, 1035}},  {120, 8, {1792, 126.0, 2000}}, {121, 8, {273, 31.0, 500}}}};

const Arch* known_arch(std::string_view arch) {
  auto sm = sm_number(arch);
  auto it = std::find_if(archs.begin(), archs.end(), [&](const Arch& a) { return sm && a.sm == *sm; });
  return it != archs.end() ? &*it : nullptr;
}

bool is_gfx(std::string_view s) {
  return s.size() >= 6 && s.size() <= 8 && s.substr(0, 3) == "gfx" &&
         std::all_of(s.begin() + 3, s.end(),
                     [](char c) { return std::isxdigit(static_cast<unsigned char>(c)); });
}

// "gfx90a" and "gfx942" are the compute line, the rest by their first digits.
std::string gfx_family(std::string_view arch) { return std::string(arch.substr(0, arch[3] == '1' ? 5 : 4)); }

// Micro-architectures whose kernels react alike: Kepler, Maxwell and Pascal, Volta to Ada, Hopper, Blackwell.
int cluster(int sm) {
  int number = 0;
  for (int first : {50, 70, 90, 100}) number += sm >= first;
  return number;
}

}  // namespace

std::optional<std::string> canonical_arch(std::string_view given) {
  if (given.size() == 5 && given.substr(0, 3) == "sm_" && std::isdigit(given[3]) && std::isdigit(given[4]))
    return std::string(given);
  std::string s = lower(trim(given));
  if (is_gfx(s)) return s;
  std::string digits = s;
  for (const char* prefix : {"sm_", "sm", "compute_", "compute", "cc"}) {
    if (digits.rfind(prefix, 0) == 0) {
      digits = digits.substr(std::string_view(prefix).size());
      break;
    }
  }
  bool suffixed =
      digits.size() > 2 && (digits.back() == 'a' || digits.back() == 'f') && std::isdigit(digits[0]);
  if (suffixed) digits.pop_back();
  if (auto point = digits.find('.'); point != std::string::npos) digits.erase(point, 1);
  bool number =
      digits.size() >= 2 && digits.size() <= 3 &&
      std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  if (number && digits[0] != '0') return "sm_" + digits;
  return arch_of_card(s);
}

std::optional<std::string> arch_to_compile_for(std::string_view text) {
  auto arch = canonical_arch(text);
  auto sm = arch ? sm_number(*arch) : std::nullopt;
  if (!sm) return arch;
  std::string said = lower(trim(text));
  bool card = arch_of_card(said).has_value();
  if (card) return *arch + (*sm >= 90 ? "a" : "");
  return *arch + (said.back() == 'a' || said.back() == 'f' ? said.substr(said.size() - 1) : "");
}

std::vector<std::string> known_archs() {
  std::vector<std::string> names;
  for (const Arch& a : archs) names.push_back("sm_" + std::to_string(a.sm));
  for (const char* gfx : {"gfx906", "gfx908", "gfx90a", "gfx942", "gfx950", "gfx1030", "gfx1032", "gfx1100"})
    names.emplace_back(gfx);
  return names;
}

std::string arch_hint(std::string_view text) {
  std::string fitting;
  for (const Card* card : cards_named(text))
    fitting += fmt::format("{}{} ({})", fitting.empty() ? "" : ", ", card->name, card->arch);
  if (!fitting.empty()) return " (it could be " + fitting + ")";
  std::vector<std::string> names = known_archs();
  for (std::string& name : card_names()) names.push_back(std::move(name));
  return did_you_mean(text, names);
}

std::optional<int> sm_number(std::string_view arch) {
  if (arch.substr(0, 3) != "sm_") return std::nullopt;
  auto number = parse_number(arch.substr(3));
  return number ? std::optional<int>(static_cast<int>(*number)) : std::nullopt;
}

std::optional<double> arch_distance(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty() || a == "unknown" || b == "unknown") return std::nullopt;
  if (a == b) return 0.0;
  if (is_gfx(a) != is_gfx(b)) return 5.3;
  if (is_gfx(a)) return gfx_family(a) == gfx_family(b) ? 1.0 : 2.0;
  const Arch* x = known_arch(a);
  const Arch* y = known_arch(b);
  if (x == nullptr || y == nullptr) return std::nullopt;
  return x->generation == y->generation ? 0.5 : std::abs(x->generation - y->generation);
}

double arch_weight(std::string_view a, std::string_view b) {
  if (a == b && !a.empty() && a != "unknown") return 1;
  bool amd_a = is_gfx(a), amd_b = is_gfx(b);
  if (amd_a && amd_b) return gfx_family(a) == gfx_family(b) ? 0.6 : 0.4;
  auto x = sm_number(a), y = sm_number(b);
  if (amd_a || amd_b) return 0.25;
  if (!x || !y) return 0.4;
  if (*x < 50 || *y < 50) return 0.4;
  return cluster(*x) == cluster(*y) ? 0.75 : 0.5;
}

std::vector<std::string> known_features() {
  return {"tensor_cores", "cp_async", "tma", "clusters", "wgmma", "tcgen05", "fp8", "tf32", "bf16"};
}

std::optional<bool> has_feature(std::string_view arch, std::string_view feature) {
  auto sm = sm_number(arch);
  if (!sm) return std::nullopt;
  if (feature == "tensor_cores") return *sm >= 70;
  if (feature == "cp_async" || feature == "tf32" || feature == "bf16") return *sm >= 80;
  if (feature == "fp8") return *sm >= 89;
  if (feature == "tma" || feature == "clusters") return *sm >= 90;
  if (feature == "wgmma") return *sm == 90;
  if (feature == "tcgen05") return *sm >= 100 && *sm < 120;
  return std::nullopt;
}

std::optional<bool> multiplies(std::string_view arch, std::string_view unit, std::string_view dtype) {
  auto sm = sm_number(arch);
  if (!sm || dtype.empty()) return std::nullopt;
  bool mma = unit == "tensor_cores", tcgen05 = unit == "tcgen05";
  if (dtype == "f16" || dtype == "f32") return true;
  if (dtype == "bf16" || dtype == "tf32") return *sm >= 80;
  if (dtype == "f8") return *sm >= 89;
  if (dtype == "f4") return unit != "wgmma" && *sm >= 100;
  if (dtype == "i8" || dtype == "u8") return *sm >= 72 && !(tcgen05 && *sm == 103);
  // Only data-centre GPUs have more than a few such units.
  if (dtype == "f64") return mma && (*sm == 80 || *sm == 90 || *sm == 100);
  return std::nullopt;
}

std::optional<Peak> peak_of(std::string_view arch) {
  const Arch* found = known_arch(arch);
  return found != nullptr ? std::optional<Peak>(found->peak) : std::nullopt;
}

}  // namespace explog
