// Runs explog in-process on a database of its own, and knows what must never reach a terminal.
#pragma once
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "base/text.h"
#include "cli/run.h"
#include "scratch.h"

namespace explog::hostile {

struct Ran {
  int code = 0;
  std::string out, err;
};

class Session {
 public:
  Session() { setenv("EXPLOG_DB", (folder / "test.db").c_str(), 1); }

  Ran run(const std::vector<std::string>& args, const std::string& input = "") {
    std::istringstream in(input);
    std::ostringstream out, err;
    cli::Context context{.in = &in, .terminal = {.out = out, .err = err}, .no_color = true};
    context.session.clock = [this] { return ++clock_ms_; };
    int code = cli::run(args, context);
    return {code, out.str(), err.str()};
  }

  Scratch folder;

 private:
  std::int64_t clock_ms_ = 1767323045000;  // 2026-01-02 03:04:05 UTC
};

// A refusal: one line on standard error, at most one hint behind it, nothing from the depths of the program.
inline bool one_line(const std::string& err) {
  int messages = 0, hints = 0;
  for (std::string_view line : split(err, '\n')) {
    if (line.substr(0, 8) == "explog: ") ++messages;
    if (line.substr(0, 8) == "  hint: ") ++hints;
    bool known = line.empty() || line.substr(0, 8) == "explog: " || line.substr(0, 8) == "  hint: ";
    if (!known || line.find("std::") != std::string_view::npos) return false;
  }
  return messages == 1 && hints <= 1;
}

// Where the first character stands that could drive a terminal or mislead a reader; npos when there is none.
inline size_t first_harmful(std::string_view s) {
  for (size_t i = 0; i < s.size();) {
    char32_t c = 0;
    int length = decode_utf8(s, i, c);
    bool control = (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7F && c <= 0x9F);
    bool bidi = c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
                (c >= 0x2066 && c <= 0x2069);
    bool zero_width = (c >= 0x200B && c <= 0x200D) || c == 0x2060 || c == 0xFEFF;
    bool separator = c == 0x2028 || c == 0x2029;
    bool tag = c >= 0xE0000 && c <= 0xE007F;
    if (length == 0 || control || bidi || zero_width || separator || tag) return i;
    i += static_cast<size_t>(length);
  }
  return std::string_view::npos;
}

inline std::string record(const std::string& more) {
  return R"({"kernel_type":"gemm","backend":"cuda","arch":"sm_90","strategy":"smem_tiling","outcome":"success")" +
         more + "}";
}

inline std::string good(int i) { return record(",\"notes\":\"good row " + std::to_string(i) + "\""); }

inline std::string repeated(const std::string& text, int n) {
  std::string all;
  for (int i = 0; i < n; ++i) all += text;
  return all;
}

inline std::int64_t count(Session& session, const std::string& table) {
  Ran ran = session.run({"query", "--csv", "--sql", "SELECT count(*) FROM " + table});
  REQUIRE(ran.code == 0);
  return std::stoll(ran.out.substr(ran.out.find('\n') + 1));
}

inline void check_sound(Session& session) {
  Ran doctor = session.run({"doctor", "--rebuild"});
  CHECK(doctor.code == 0);
  CHECK(doctor.out.find("projections equal the log, bit for bit") != std::string::npos);
}

}  // namespace explog::hostile
