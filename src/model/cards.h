// The cards that people name: what each is, and what its data sheet says it reaches.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace explog {

// Rates are dense and at boost clock, in 1e12 operations a second (an FMA is two); 0: not there or not
// published. fp64 and fp32 on CUDA cores; the others on tensor cores, adding up in fp32 (int8: in int32).
struct Card {
  std::string_view name;   // "H100 PCIe"
  std::string_view words;  // what else its full names hold, lower case: "80gb hbm2e"
  std::string_view arch;   // sm_90
  int multiprocessors;
  double memory_gb, dram_gb_s;  // 1e9 bytes, and a second
  double fp64, fp32, tf32, f16, fp8, int8;
  std::string_view source;  // the data sheet
};

// All cards; where a short name fits several, the one that it means most often comes first.
std::span<const Card> cards();

// The cards that a name fits: "4090", "RTX 4090", "NVIDIA GeForce RTX 4090", "H100 PCIe". One where the name
// is a card's own; several where it leaves open which ("H100"); none for anything else.
std::vector<const Card*> cards_named(std::string_view text);

// The one card, or the first of several.
const Card* find_card(std::string_view text);

// The arch of a card, also where only the beginning of `text` names it ("H100 MIG 3g.40gb"). Nothing when
// several cards of different archs fit ("RTX 6000").
std::optional<std::string> arch_of_card(std::string_view text);

// Names to suggest for a misspelling.
std::vector<std::string> card_names();

}  // namespace explog
