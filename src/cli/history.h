// The own records in the order of their time, as a backtest and the calibration read them.
#pragma once
#include <vector>

#include "base/sqlite.h"
#include "recommend/calibration.h"

namespace explog::cli {

// Records that count, oldest first.
std::vector<recommend::Dated> history(sql::Db& db);

// The recalibration that is kept in the database: stats --recalibrate.
std::optional<recommend::Recalibration> kept_recalibration(sql::Db& db);
void keep_recalibration(sql::Db& db, const std::optional<recommend::Recalibration>& mend);

}  // namespace explog::cli
