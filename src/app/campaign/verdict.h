// The judge's verdict on one version of a campaign.
#pragma once
#include "app/campaign/folder.h"
#include "app/judge/bench.h"

namespace explog::app {

// Judges the version's file against its parent and, where it is to be kept, against version 0 too; the attempt goes to
// the store, one that came out inconclusive only where it is the `last`. Version 0 is judged against itself and not stored.
campaign::Judged verdict_on(const CampaignFolder& folder, const campaign::Proposed& proposal, bool last,
                            const Session& session);

// The version's file against what --baseline names; nothing goes to the store.
Judged bench_against(const CampaignFolder& folder, const campaign::Proposed& proposal,
                     const std::string& baseline, const Session& session);

// A verdict of the judge as the journal keeps it.
campaign::Judged judged_from(const Measurement& m, const bench::Verdict& verdict,
                             const campaign::Proposed& proposal);

// What the record of a version says besides its measurement.
RecordFields fields_of(const CampaignFolder& folder, const campaign::Proposed& proposal);

// Throws Error(usage) for an expectation of a metric that a verdict of this campaign never has.
void refuse_unknown_metrics(const campaign::Contract& contract,
                            const std::vector<campaign::Expectation>& expected);

// What an expectation said and what two profiles show: counters of the parent and of the version by name.
std::vector<campaign::Movement> movements(const std::vector<campaign::Expectation>& expected,
                                          const Facts& before, const Facts& after);

}  // namespace explog::app
