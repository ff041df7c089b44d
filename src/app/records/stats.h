// What is in the store, and what helped how often.
#pragma once
#include "app/session/session.h"
#include "store/totals.h"

namespace explog::app {

using Stats = store::Totals;
// With at most `strategies` of the best strategies.
Stats stats(const Session& session, int strategies);

}  // namespace explog::app
