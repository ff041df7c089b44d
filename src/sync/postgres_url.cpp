#include "sync/postgres_url.h"

#include <unistd.h>

#include <algorithm>
#include <memory>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "sync/libpq.h"

namespace explog::sync {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;
constexpr auto system_certificates = "/etc/ssl/certs/ca-certificates.crt";

std::string setting(const Settings& settings, std::string_view keyword) {
  for (const auto& [key, value] : settings) {
    if (key == keyword) return value;
  }
  return "";
}

void set_default(Settings& settings, const std::string& keyword, const std::string& value) {
  if (setting(settings, keyword).empty()) settings.emplace_back(keyword, value);
}

Error bad_url(const std::string& why, const std::string& hint = "") {
  return {Exit::usage, "the remote's URL: " + why,
          hint.empty() ? "the form is postgresql://user@host:port/database?stream=NAME" : hint};
}

Error holds_password() {
  return bad_url(
      "it holds a password, which would be stored and shown",
      "leave it out; ~/.pgpass, PGPASSFILE, PGSERVICE, PGPASSWORD or EXPLOG_PASSWORD_COMMAND give it");
}

size_t end_of_scheme(std::string_view url) {
  size_t at = url.find("://");
  return at == std::string_view::npos ? 0 : at + 3;
}

// Before libpq sees it: user:password@, also when the password holds a '/' that libpq would take for the end
// of the host.
bool names_password(std::string_view url) {
  std::string_view rest = url.substr(end_of_scheme(url));
  rest = rest.substr(0, rest.find('?'));
  size_t at = rest.rfind('@');
  if (at == std::string_view::npos) return false;
  std::string_view user = rest.substr(0, at);
  return user.find(':') != std::string_view::npos || user.find('/') != std::string_view::npos;
}

bool valid_stream(std::string_view name) {
  auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  auto fits = [&](char c) { return plain(c) || c == '.' || c == '_' || c == '-'; };
  return !name.empty() && name.size() <= 63 && plain(name[0]) && std::all_of(name.begin(), name.end(), fits);
}

// Takes stream=NAME out of the query part: libpq refuses keywords that it does not know.
std::string take_stream(const std::string& url, std::string& stream) {
  size_t question = url.find('?');
  if (question == std::string::npos) return url;
  std::vector<std::string> kept;
  for (std::string_view part : split(std::string_view(url).substr(question + 1), '&')) {
    if (part.substr(0, 7) != "stream=")
      kept.emplace_back(part);
    else
      stream = part.substr(7);
  }
  if (!valid_stream(stream))
    throw bad_url("'" + printable(stream) + "' cannot be the name of a stream",
                  "a name is 1 to 63 of a-z, 0-9, '.', '_' and '-', and starts with a letter or digit");
  return url.substr(0, question) + (kept.empty() ? "" : "?" + join(kept, "&"));
}

Settings parse_with_libpq(const std::string& url) {
  char* error = nullptr;
  std::unique_ptr<PQconninfoOption, decltype(Libpq::conninfoFree)> options(
      pq().conninfoParse(url.c_str(), &error), pq().conninfoFree);
  std::unique_ptr<char, decltype(Libpq::freemem)> message(error, pq().freemem);
  if (!options)
    throw bad_url(without_passwords(std::string(trim(message ? message.get() : "out of memory"))));
  Settings settings;
  for (const PQconninfoOption* option = options.get(); option->keyword != nullptr; ++option) {
    if (option->val == nullptr || *option->val == '\0') continue;
    if (*option->dispchar == '*') throw holds_password();  // password, sslpassword
    settings.emplace_back(option->keyword, option->val);
  }
  return settings;
}

bool is_near(std::string_view host) {  // a Unix socket or the loopback
  return host.empty() || host[0] == '/' || host[0] == '@' || host == "localhost" || host == "::1" ||
         host.substr(0, 4) == "127.";
}

// Every address that libpq could go to. A service file may name any host, so it counts as far.
bool stays_here(const Settings& settings) {
  if (!setting(settings, "service").empty() || !env("PGSERVICE").empty()) return false;
  std::string hosts = setting(settings, "hostaddr");
  if (hosts.empty()) hosts = env("PGHOSTADDR");
  if (hosts.empty()) hosts = setting(settings, "host");
  if (hosts.empty()) hosts = env("PGHOST");
  auto names = split(hosts, ',');
  return std::all_of(names.begin(), names.end(), is_near);
}

void set_encryption(Settings& settings) {
  set_default(settings, "gssencmode", "disable");
  if (stays_here(settings) || !setting(settings, "sslmode").empty()) return;
  // PGSSLMODE is not asked: a habit of a shell must not weaken what a shared memory travels over.
  settings.emplace_back("sslmode", "verify-full");
  std::string own = env("HOME") + "/.postgresql/root.crt";
  if (env("PGSSLROOTCERT").empty() && access(own.c_str(), R_OK) != 0)
    set_default(settings, "sslrootcert", system_certificates);
}

// Limits of the connection itself; those of statements go with each transaction, because poolers refuse
// start-up parameters.
void set_limits(Settings& settings) {
  set_default(settings, "connect_timeout", "15");
  set_default(settings, "tcp_user_timeout", "30000");
  set_default(settings, "keepalives_idle", "30");
  set_default(settings, "keepalives_interval", "10");
  set_default(settings, "keepalives_count", "3");
  set_default(settings, "client_encoding", "UTF8");
  set_default(settings, "fallback_application_name", "explog/" EXPLOG_VERSION);
}

std::string shown(const Settings& settings) {
  std::string user = setting(settings, "user"), host = setting(settings, "host"),
              port = setting(settings, "port"), database = setting(settings, "dbname"),
              service = setting(settings, "service");
  if (!service.empty()) return "service " + service;
  std::string text = user.empty() ? "" : user + "@";
  text += host.empty() ? "local socket" : host;
  if (!port.empty()) text += ":" + port;
  return text + (database.empty() ? "" : "/" + database);
}

size_t end_of_password(std::string_view text, size_t from) {
  if (from < text.size() && (text[from] == '\'' || text[from] == '"')) {
    size_t close = text.find(text[from], from + 1);
    return close == std::string_view::npos ? text.size() : close + 1;
  }
  return std::min(text.find_first_of(" &\n\"';", from), text.size());
}

}  // namespace

bool is_postgres_url(const std::string& url) {
  return url.rfind("postgresql://", 0) == 0 || url.rfind("postgres://", 0) == 0;
}

std::string without_passwords(const std::string& text) {
  std::string out = text;
  // user:secret@ after a scheme; a secret may itself hold '@', so the last one before a space ends it.
  for (size_t at = out.find("://"); at != std::string::npos; at = out.find("://", at + 3)) {
    size_t end = std::min(out.find_first_of(" \n\"", at + 3), out.size());
    size_t sign = out.rfind('@', end);
    size_t colon = out.find(':', at + 3);
    if (sign == std::string::npos || sign <= at || colon == std::string::npos || colon > sign) continue;
    out.replace(colon + 1, sign - colon - 1, "***");
  }
  for (size_t at = out.find("password="); at != std::string::npos; at = out.find("password=", at + 9))
    out.replace(at + 9, end_of_password(out, at + 9) - at - 9, "***");
  return out;
}

PostgresTarget parse_postgres_url(const std::string& url) {
  if (!is_postgres_url(url)) throw bad_url("it does not start with postgresql://");
  if (names_password(url)) throw holds_password();
  PostgresTarget target;
  target.settings = parse_with_libpq(take_stream(url, target.stream));
  target.shown = shown(target.settings);
  set_encryption(target.settings);
  set_limits(target.settings);
  return target;
}

}  // namespace explog::sync
