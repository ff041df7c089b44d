// The evidence on a kernel family as it is ranked: thousands of cells, which share nearly all that they say. A row
// is small, and rows that say the same point to the same thing.
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/evidence.h"

namespace explog {

// What was changed, and on what. `number`: its place among those of the evidence, as below.
struct Setting {
  std::string strategy, backend, arch, kernel_type, dtype, bottleneck;
  std::uint32_t number = 0;
};

struct KernelState {
  std::string_view text;  // feature_key() of the kernel before the change
  std::uint32_t number = 0;
};

// Who says so, and how it is known.
struct Provenance {
  std::string level, source;
  std::int64_t origin = 0, quarter = 0;
  bool reversed = false;
  bool reviewed = true;
  std::optional<double> decided;
  std::uint32_t number = 0;
};

// A Cell; the names are the same.
struct EvidenceRow {
  const Setting* setting = nullptr;
  const KernelState* state = nullptr;
  const Provenance* by = nullptr;
  std::int64_t gain_sum = 0, loss_sum = 0;
  std::int64_t first_rid = 0, last_rid = 0;
  std::int32_t success = 0, neutral = 0, failure = 0, broken = 0;
  std::int32_t gain_n = 0, loss_n = 0;
  std::int16_t size = -1, latency = unknown_latency;

  std::int64_t n() const { return std::int64_t{success} + neutral + failure; }
};

class FamilyEvidence {
 public:
  FamilyEvidence() = default;
  FamilyEvidence(const std::vector<Cell>& cells);
  FamilyEvidence(std::initializer_list<Cell> cells) : FamilyEvidence(std::vector<Cell>(cells)) {}

  // In an order that sums of doubles depend on.
  std::vector<EvidenceRow> rows;

  const std::deque<Setting>& settings() const { return settings_; }
  const std::deque<KernelState>& states() const { return states_; }
  const std::deque<Provenance>& provenances() const { return provenances_; }

  // For who fills in rows. A state is the one that was there where its text is known; the others are new.
  const Setting* add(Setting setting);
  const KernelState* state(std::string_view text);
  const Provenance* add(Provenance provenance);

  // Changes what all rows that share it say.
  void change_settings(const std::function<void(Setting&)>& change);
  void change_provenances(const std::function<void(Provenance&)>& change);
  void change_states(const std::function<std::string(std::string_view)>& changed);

 private:
  std::string_view kept(std::string_view text);
  void grow();

  // What rows point to stays where it is.
  std::deque<Setting> settings_;
  std::deque<KernelState> states_;
  std::deque<Provenance> provenances_;
  std::vector<std::uint32_t>
      places_;  // of states by the hash of their text, open addressing: number + 1, 0 free
  std::vector<std::unique_ptr<char[]>> blocks_;  // of texts
  char* next_ = nullptr;                         // where there is room in the last one
  std::size_t room_ = 0;                         // so much
};

}  // namespace explog
