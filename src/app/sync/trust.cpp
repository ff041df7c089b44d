#include "app/sync/trust.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"
#include "store/read.h"

namespace explog::app {

TrustListing list_trust(const Session& session, bool review) {
  sql::Db db = session.reader();
  TrustListing listing;
  listing.review = review;
  for (store::Origin& origin : store::origins(db)) {
    if (review && origin.trust != Trust::unreviewed) continue;
    store::OutcomeCounts outcomes = store::totals_of_origin(db, origin.no);
    listing.origins.push_back({std::move(origin), outcomes});
  }
  listing.weights = store::decided_weights(db);
  if (review) listing.quarantined = store::quarantined(db);
  return listing;
}

namespace {

store::Origin origin_named(store::Store& store, const std::string& name) {
  std::vector<store::Origin> found = store::origins(store.db());
  std::vector<std::string> labels = {"self"};
  for (const store::Origin& o : found) labels.push_back(o.label);
  std::erase_if(found, [&](const store::Origin& o) {
    bool named = name == "self" ? o.self : o.label == name;
    return !named && (name.size() < 6 || !hex(o.id).starts_with(lower(name)));
  });
  if (found.size() != 1)
    throw Error(Exit::usage,
                found.empty() ? "no origin '" + printable(name) + "'" + did_you_mean(name, labels)
                              : "'" + printable(name) + "' fits several origins",
                "explog trust list");
  return found[0];
}

}  // namespace

OriginId set_trust(const Session& session, const std::string& name, Trust trust,
                   const std::optional<std::string>& label) {
  session.reader();  // the records that ship are an origin too
  store::Store store = session.writer();
  store::Origin origin = origin_named(store, name);
  if (origin.self) throw Error(Exit::usage, "that is this database itself");
  store.set_trust(origin.no, trust, label);
  return origin.id;
}

OriginId set_label(const Session& session, const std::string& name, const std::string& label) {
  store::Store store = session.writer();
  store::Origin origin = origin_named(store, name);
  store.set_label(origin.no, label);
  return origin.id;
}

void weigh_source(const Session& session, const std::string& source, std::optional<double> weight) {
  store::Store store = session.writer();
  store::decide_weight(store.db(), source, weight);
}

}  // namespace explog::app
