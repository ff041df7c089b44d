// task: vector_add
// run: bench
// expect: crash
// reason: crash
// Throws an exception whose class has the name and layout of the runner's
// own, and whose word of failure is "unconfirmed": right, and the gain is open. It never adds anything.
#include <stdexcept>
#include <string>
#include <utility>

namespace explog {
struct Failure : std::runtime_error {
  Failure(std::string word, const std::string& text) : std::runtime_error(text), reason(std::move(word)) {}
  std::string reason;
};
}  // namespace explog

extern "C" void solve(const float*, const float*, float*, int) {
  throw explog::Failure("unconfirmed", "it looked faster");
}
