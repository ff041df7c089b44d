// How close a kernel is to those of the records, by the facts of its state and profile.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/family_evidence.h"

namespace explog::recommend {

// The features of a family's cells as a table of numbers, NaN where unknown.
class FeatureTable {
 public:
  FeatureTable() = default;
  explicit FeatureTable(const FamilyEvidence& evidence);
  std::size_t width() const { return names_.size(); }
  std::span<const double> row(std::size_t state) const { return {values_.data() + state * width(), width()}; }
  std::vector<double> point(const Facts& features) const;
  double spread(std::size_t feature) const { return spread_[feature]; }  // standard deviation over records
  int index(std::string_view name) const;                                // -1 when no cell has it

 private:
  std::vector<std::string> names_;
  std::vector<double> values_, spread_;  // by state, by feature
};

// A record of the strategy in question: where it stands in the table, and what it says.
struct Sample {
  std::size_t state = 0;
  double n = 0, success = 0;  // weighted
};

// What each feature tells about the success of one strategy: the share of the variance of its outcomes that
// the feature's values explain (eta squared, less what chance explains), at least 0.02, with mean 1 over the
// features that are known; four times that for the strategy's own knob. A bandwidth for each feature,
// learned.
std::vector<double> relevance(const FeatureTable& table, const std::vector<Sample>& samples,
                              std::string_view knob);

// exp(-d / 0.25), d the relevance-weighted mean over features known on both sides of squared difference over
// spread; times the share of features that are known on both sides. 0 when none is.
double closeness(const FeatureTable& table, std::span<const double> relevance, std::span<const double> a,
                 std::span<const double> b);

}  // namespace explog::recommend
