// The table of remote schemes.
#include <algorithm>
#include <array>
#include <string_view>

#include "base/error.h"
#include "base/text.h"
#include "sync/directory.h"
#include "sync/postgres.h"
#include "sync/remote.h"

namespace explog::sync {
namespace {

struct Scheme {
  std::string_view prefix;
  std::string_view form;
  std::unique_ptr<Remote> (*make)(const std::string& url);
};
constexpr std::array<Scheme, 3> schemes = {{
    {"dir:", "dir:PATH", make_directory},
    {"postgresql://", "postgresql://[USER@]HOST/DATABASE[?stream=NAME]", make_postgres},
    {"postgres://", "", make_postgres},
}};

// Where the password stands in SCHEME://USER:PASSWORD@HOST, its colon included; npos when there is none.
std::pair<size_t, size_t> password_in(const std::string& url) {
  size_t start = url.find("://");
  if (start == std::string::npos) return {std::string::npos, 0};
  start += 3;
  size_t end = url.find_first_of("/?", start);
  size_t at = url.rfind('@', end == std::string::npos ? end : end - 1);
  if (at == std::string::npos || at < start) return {std::string::npos, 0};
  size_t colon = url.find(':', start);
  return colon < at ? std::pair(colon, at) : std::pair(std::string::npos, size_t{0});
}

}  // namespace

std::unique_ptr<Remote> make_remote(const std::string& url) {
  for (const Scheme& scheme : schemes) {
    if (url.starts_with(scheme.prefix)) return scheme.make(url);
  }
  throw Error(Exit::usage, "'" + printable(without_password(url)) + "' is not the URL of a remote",
              "a remote is one of " + join(remote_forms(), ", "));
}

std::vector<std::string> remote_forms() {
  std::vector<std::string> forms;
  for (const Scheme& scheme : schemes) {
    if (!scheme.form.empty()) forms.emplace_back(scheme.form);
  }
  return forms;
}

bool has_password(const std::string& url) { return password_in(url).first != std::string::npos; }

std::string without_password(const std::string& url) {
  auto [begin, end] = password_in(url);
  return begin == std::string::npos ? url : url.substr(0, begin) + url.substr(end);
}

}  // namespace explog::sync
