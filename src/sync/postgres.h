// The remote on a PostgreSQL server, or on any engine that speaks its protocol.
#pragma once
#include <memory>
#include <string>

#include "sync/remote.h"

namespace explog::sync {

// Does not connect yet. Throws Error(usage) for a URL that is wrong or holds a password.
std::unique_ptr<Remote> make_postgres(const std::string& url);

}  // namespace explog::sync
