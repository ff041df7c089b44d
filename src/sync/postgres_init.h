// Making explog's tables in a database.
#pragma once
#include <string>
#include <vector>

#include "sync/postgres_connection.h"
#include "sync/remote.h"

namespace explog::sync {

// Runs schema/postgresql/*.sql and makes the stream, in one transaction. Safe to repeat: it adds what is
// missing.
Outcome<std::string> init_postgres(PostgresConnection& connection, const Founding& founding);

}  // namespace explog::sync
