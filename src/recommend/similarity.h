// How much a record counts for a question: what it was measured on, how, by whom, when.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "model/context.h"
#include "model/evidence.h"

namespace explog::recommend {

// How close the situation of a cell is to the question's, 0..1: bottleneck and size of the problem.
double situation_of(const Context& context, const Cell& cell);

// Weights of a family's cells for questions about one arch and backend.
//
// Archs: the table of arch_weight(), moved toward the agreement of the two archs' own success rates once 200
// records share strategy and value of the knob (the table counts for 100 of them), squared.
// Sources (an origin and what it read): Brier skill of each source's records under the rates of all others,
// shrunk by 30 pseudo-records toward the median. Half the median's skill is trusted in full, none hardly at
// all. What the others say is weighed by their own trust, found in four rounds. What the user decided stands.
class Similarity {
 public:
  // `cells` must outlive it.
  Similarity(const std::vector<Cell>& cells, std::string arch, std::string backend);
  // Of one record of the cell.
  double weight(const Cell& cell) const;
  double arch(const std::string& other) const;
  double trust(const Cell& cell) const;  // of its source, 0..1
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
  std::string arch_, backend_;
  std::int64_t newest_ = 0;
  std::map<std::string, double> archs_;
  std::map<std::pair<std::int64_t, std::string_view>, std::size_t> source_index_;  // views into the cells
  std::vector<Source> sources_;
};

}  // namespace explog::recommend
