// Where a PostgreSQL remote is, and how its connection is made safe.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace explog::sync {

struct PostgresTarget {
  std::string stream = "main";                                // ?stream=NAME: one log of many in a database
  std::vector<std::pair<std::string, std::string>> settings;  // libpq's keywords; never a password
  std::string shown;                                          // user@host:port/database, for messages
};

bool is_postgres_url(const std::string& url);

// Reads postgresql://[user@][host][:port][/database][?keyword=value&...&stream=NAME]. A URL with a password
// is refused, because it would be stored; libpq finds one in ~/.pgpass, PGPASSFILE, PGSERVICE or PGPASSWORD.
// Off the loopback the server must show a certificate for its name unless the URL says otherwise.
// Throws Error(usage).
PostgresTarget parse_postgres_url(const std::string& url);

// `text` with every password in it, in a URL or after "password=", replaced by ***.
std::string without_passwords(const std::string& text);

}  // namespace explog::sync
