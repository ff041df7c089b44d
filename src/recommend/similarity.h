// How much a record counts for a question: what it was measured on, how, by whom, when.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "model/family_evidence.h"
#include "model/question.h"

namespace explog::recommend {

// Weights of a family's cells for questions about one arch and backend.
//
// Archs: the table of arch_weight(), moved toward the agreement of the two archs' own success rates once 200
// records share strategy and value of the knob (the table counts for 100 of them), to the third power. They
// are relative to the nearest arch that has records: where nothing near exists, what is far counts in full.
// Sources (an origin and what it read): Brier skill of each source's records under the rates of all others,
// shrunk by 30 pseudo-records toward the median. A source with half the median's skill or more is trusted in
// full, one without skill hardly at all. The others' rates are weighed by the trust in them, which is found in
// four rounds. A trust that the user has set is not changed.
class Similarity {
 public:
  Similarity(const FamilyEvidence& evidence, const std::string& arch, const std::string& backend);
  // Of one record of a cell of the evidence.
  double weight(const EvidenceRow& cell) const {
    std::size_t setting = cell.setting->number, by = cell.by->number;
    return archs_[setting] * levels_[by] * backends_[setting] * ages_[by] * trusts_[by];
  }
  // Of the cell's source, 0..1.
  double trust(const EvidenceRow& cell) const { return trusts_[cell.by->number]; }
  struct Source {
    std::string name;  // as the cells have it
    double records = 0, skill = 0, trust = 1;
    double odds_ratio = 1;  // its odds of success against what the others foresee
    bool decided = false;   // the trust is the user's word
    bool reviewed = true;   // its name may be shown
  };
  // In order of origin and name.
  const std::vector<Source>& sources() const { return sources_; }

 private:
  void weigh(const FamilyEvidence& evidence, const std::string& backend, const std::vector<double>& archs,
             const std::function<std::size_t(const Setting&)>& arch_of);

  std::vector<Source> sources_;
  std::vector<double> archs_, backends_;        // what they count, by setting
  std::vector<double> levels_, ages_, trusts_;  // by provenance
};

}  // namespace explog::recommend
