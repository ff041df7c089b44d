// What the records of a family say about one strategy for one kernel: rates, level by level.
//
// Method: hierarchical Beta-Binomial back-off with similarity-weighted counts. The playbook's prior is the
// parent of the (family, strategy) rate, that of the rate in the same situation (bottleneck, size), and that
// of the rate near the kernel's own state and profile. Each record's weight is divided among the levels: what
// counts near the kernel does not count again above. Failures and neutral attempts have their place in n.
// Change and reverse change are one pair of timings, so each record of a knob counts for both directions.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "model/question.h"
#include "recommend/kernel_distance.h"
#include "recommend/similarity.h"

namespace explog::recommend {

struct LedgerLine {           // one line of the ledger
  std::string name;           // "playbook", "gemm", "gemm, memory-bound, 2^24 elements"
  double success = 0, n = 0;  // weighted counts at this level
  double p = 0;               // the rate after it
};

// A cell with what it counts for the question at hand.
struct Weighed {
  const EvidenceRow* cell;
  double weight;     // of each of its records
  double situation;  // 0..1: bottleneck and size as asked
  double near;       // 0..situation: state and profile as asked
};

struct Account {
  std::vector<Weighed> cells;  // in the order of the evidence
  std::vector<LedgerLine> lines;
  double p = 0, p_failure = 0;
  double strength = 0;        // pseudo-records the rate rests on
  double effective = 0;       // weighted records at the deepest level there is
  double family_records = 0;  // weighted records of the family
};

class Ledger {
 public:
  // `name_of` maps a strategy of the evidence to the one it counts for (aliases). `by_state`: whether questions
  // say anything of the kernel's state; comparing costs as much as all the rest.
  Ledger(FamilyEvidence evidence, const std::string& arch, const std::string& backend,
         const std::function<std::string(const std::string&)>& name_of = {}, bool by_state = true);
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  // Strategies of the evidence, in alphabetical order.
  std::vector<std::string> strategies() const;
  // `prior`: what the playbook expects, 0..1. `believed`: what of the records holds for a kernel like this
  // one, 0..1.
  Account account(const std::string& strategy, const Question& question, double prior,
                  double believed = 1) const;
  const std::vector<EvidenceRow>& cells() const { return evidence_.rows; }
  const Similarity& similarity() const { return similarity_; }
  // (k + 1) / (n + 3) over all records of the family as far as they are trusted, mirror images left out.
  double base_rate() const { return base_rate_; }

 private:
  void fill_relevance();

  struct Stretch {
    std::size_t begin, end;
  };
  struct Entry {
    std::vector<Stretch> rows;  // of one strategy: they mostly stand together
    std::size_t count = 0;
    std::vector<double> relevance;
  };
  FamilyEvidence evidence_;
  Similarity similarity_;
  FeatureTable table_;
  std::map<std::string, Entry> entries_;
  std::vector<double> weights_;
  double base_rate_ = 0;
};

}  // namespace explog::recommend
