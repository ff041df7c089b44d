// Whose records are believed here: origins and their trust, weights the user decided, what was refused.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/session/session.h"
#include "model/trust.h"
#include "store/origins.h"
#include "store/quarantine.h"
#include "store/totals.h"

namespace explog::app {

struct OriginSummary {
  store::Origin origin;
  store::OutcomeCounts outcomes;  // of its records that count
};

struct TrustListing {
  bool review = false;  // only what waits for a decision was asked for
  std::vector<OriginSummary> origins;
  std::map<std::string, double> weights;          // by source
  std::vector<store::QuarantineRow> quarantined;  // with `review` alone
};
TrustListing list_trust(const Session& session, bool review);

// Believes the origin whose label is `name`, or whose id begins with it, from now on so far; returns its id. Throws
// Error(usage) when there is none, several, or it is this database itself.
OriginId set_trust(const Session& session, const std::string& name, Trust trust,
                   const std::optional<std::string>& label);

// Calls it so from now on; "self" is this database, whose label others see too.
OriginId set_label(const Session& session, const std::string& name, const std::string& label);

// What each record of a source weighs, 0 to 1; nothing: that is learned again. The source need not be known:
// what is heavy or light may not be here yet.
void weigh_source(const Session& session, const std::string& source, std::optional<double> weight);

}  // namespace explog::app
