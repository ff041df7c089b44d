// How far a long piece of work is, how fast it goes and how long it will take: one line, told now and then.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>

#include "app/session/session.h"

namespace explog::app {

// "12 min 04 s left", "8 s left"; empty while too little is done to tell.
std::string time_left_text(double elapsed_s, double done, double all);

// "importing x.jsonl: 120,000 records, 45,000 a second, 12 s left". `share`: of the work, 0 when it is not known.
std::string progress_text(const std::string& what, const std::string& unit, std::int64_t n, double share,
                          double elapsed_s);

// Of the work; 0 when it is not known how much there is.
double share_of(std::int64_t n, std::int64_t all);

class Progress {
 public:
  // `unit` in the plural: "records".
  Progress(const Session& session, std::string what, std::string unit);
  ~Progress();  // the line goes
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Called as often as one likes; tells a few times a second, and nothing in the first.
  void at(std::int64_t n, double share = 0);
  void of(std::int64_t n, std::int64_t all) { at(n, share_of(n, all)); }
  // Whether at() would tell something now: what is dear to count is counted then.
  bool due() const { return Clock::now() >= next_; }

 private:
  using Clock = std::chrono::steady_clock;
  const Session& session_;
  std::string what_, unit_;
  Clock::time_point begin_ = Clock::now(), next_ = begin_ + std::chrono::seconds(1);
  bool told_ = false;
};

}  // namespace explog::app
