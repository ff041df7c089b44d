// Whether explog's probabilities were true of the records here, and the recalibration that is kept.
#pragma once
#include <optional>
#include <vector>

#include "app/session/session.h"
#include "recommend/reliability.h"
#include "report/charts.h"

namespace explog::app {

// Records that count, oldest first, as a backtest and the reliability report read them.
std::vector<recommend::Dated> history(sql::Db& db);

// The recalibration that is kept in the database: stats --recalibrate.
std::optional<recommend::Recalibration> kept_recalibration(sql::Db& db);
void keep_recalibration(sql::Db& db, const std::optional<recommend::Recalibration>& curve);

enum class Recalibrate { leave, on };

struct ReliabilityReport {
  recommend::Reliability measured;
  std::optional<recommend::Recalibration> kept;
};
// Foresees the newest records from those before them. `on` keeps the curve where it helps and else warns.
ReliabilityReport measure_reliability(const Session& session, Recalibrate recalibrate);

// For the picture of it.
std::vector<report::ReliabilityBin> bins_of(const recommend::Reliability& r);

// One clause: "within 0.05", "above 0.05; a recalibration brings it to ...".
std::string ruling(const recommend::Reliability& r);

}  // namespace explog::app
