#include "cli/verdict_exit.h"

#include <array>

#include "base/error.h"

namespace explog::cli {
namespace {

constexpr int done = 0, negative = static_cast<int>(Exit::negative), crash = static_cast<int>(Exit::crash);
// In the order of the enums.
constexpr std::array<int, 4> of_decisions = {done, negative, crash, static_cast<int>(Exit::inconclusive)};
constexpr std::array<int, 4> of_checks = {done, negative, negative, crash};

}  // namespace

int exit_code(bench::Decision decision) { return of_decisions[static_cast<std::size_t>(decision)]; }
int exit_code(bench::CheckVerdict verdict) { return of_checks[static_cast<std::size_t>(verdict)]; }

}  // namespace explog::cli
