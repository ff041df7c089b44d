#include "app/session/progress.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace explog::app {
namespace {

// 1234567 -> "1,234,567".
std::string grouped(std::int64_t n) {
  std::string digits = std::to_string(n);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

}  // namespace

std::string time_left_text(double elapsed_s, double done, double all) {
  if (done <= 0 || all < done) return "";
  double left = elapsed_s * (all - done) / done;
  if (left < 100) return fmt::format("{:.0f} s left", std::ceil(left));
  double minutes = std::floor(left / 60);
  return fmt::format("{:.0f} min {:02.0f} s left", minutes, std::floor(left - 60 * minutes));
}

std::string progress_text(const std::string& what, const std::string& unit, std::int64_t n, double share,
                          double elapsed_s) {
  std::string text = what + ": " + grouped(n) + " " + unit;
  if (elapsed_s > 0)
    text += fmt::format(", {} a second", grouped(std::llround(static_cast<double>(n) / elapsed_s)));
  std::string left = share > 0 ? time_left_text(elapsed_s, std::min(1.0, share), 1) : "";
  return left.empty() ? text : text + ", " + left;
}

double share_of(std::int64_t n, std::int64_t all) {
  return all > 0 ? static_cast<double>(n) / static_cast<double>(all) : 0;
}

Progress::Progress(const Session& session, std::string what, std::string unit)
    : session_(session), what_(std::move(what)), unit_(std::move(unit)) {}

Progress::~Progress() {
  if (told_) session_.progress("");
}

void Progress::at(std::int64_t n, double share) {
  auto now = Clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(250);
  told_ = true;
  session_.progress(
      progress_text(what_, unit_, n, share, std::chrono::duration<double>(now - begin_).count()));
}

}  // namespace explog::app
