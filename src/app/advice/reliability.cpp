#include "app/advice/reliability.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "model/json.h"
#include "recommend/ranking_metrics.h"
#include "store/history.h"

namespace explog::app {
namespace {

const std::string recalibration = "recalibration";  // {"a":0.1,"b":0.9}

}  // namespace

std::vector<recommend::Dated> history(sql::Db& db) {
  std::vector<recommend::Dated> list;
  for (store::Dated& dated : store::history(db)) list.push_back({std::move(dated.record), dated.at_ms});
  return list;
}

// What cannot be read is none.
std::optional<recommend::Recalibration> kept_recalibration(sql::Db& db) {
  std::string text = store::setting(db, recalibration);
  if (text.empty()) return std::nullopt;
  try {
    Json json = parse_json(text);
    recommend::Recalibration curve{json.at("a").get<double>(), json.at("b").get<double>()};
    return curve.b > 0 ? std::optional(curve) : std::nullopt;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

void keep_recalibration(sql::Db& db, const std::optional<recommend::Recalibration>& curve) {
  JsonWriter json;
  if (curve) {
    json.begin_object();
    json.field("a", curve->a);
    json.field("b", curve->b);
    json.end_object();
  }
  store::keep_setting(db, recalibration, json.str());
}

std::vector<report::ReliabilityBin> bins_of(const recommend::Reliability& r) {
  std::vector<report::ReliabilityBin> bins;
  for (const auto& bin : r.bins) {
    if (bin.n == 0) continue;
    auto [lo, hi] = recommend::wilson_interval(static_cast<double>(bin.success), static_cast<double>(bin.n));
    bins.push_back({bin.n, bin.success, bin.mean_p, lo, hi});
  }
  return bins;
}

std::string ruling(const recommend::Reliability& r) {
  if (recommend::needs_recalibration(r))
    return fmt::format("above {}; a recalibration brings it to {:.3f} on records it was not fitted to",
                       recommend::tolerable_ece, r.fitted_ece);
  if (r.ece <= recommend::tolerable_ece) return fmt::format("within {}", recommend::tolerable_ece);
  return r.fit ? "no recalibration lowers it" : "too few outcomes for a recalibration";
}

ReliabilityReport measure_reliability(const Session& session, Recalibrate recalibrate) {
  sql::Db db = session.reader();
  recommend::Reliability r = recommend::reliability(recommend::forecasts(history(db), session.playbook()));
  if (recalibrate == Recalibrate::on && !recommend::needs_recalibration(r)) {
    session.warn(fmt::format("not recalibrated: the calibration error {:.3f} is {}", r.ece, ruling(r)));
  } else if (recalibrate == Recalibrate::on) {
    keep_recalibration(session.writer().db(), r.fit);
    session.warn("recalibrated; `explog stats --recalibrate off` takes it back");
  }
  return {r, kept_recalibration(db)};
}

}  // namespace explog::app
