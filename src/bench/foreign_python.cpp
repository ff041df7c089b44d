#include "bench/foreign_python.h"

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/embedded.h"
#include "base/error.h"
#include "base/spawn.h"
#include "base/text.h"
#include "bench/foreign_parts.h"
#include "bench/harness/python.h"
#include "model/json.h"

namespace explog::bench {
namespace {

constexpr int patience_ms = 180'000;  // beyond that of the program, which ends a problem after two minutes

// The parts lie in one scope, in this order.
std::string program() {
  std::string text;
  for (const char* part : {"start", "sizes", "watch", "kernel_bench", "gpu_mode", "skill", "main"})
    text += std::string(*embedded_file(std::string("kernels/harness/python/problem_") + part + ".py")) + "\n";
  return text;
}

std::string line_of(Problem kind, const std::string& path, const std::vector<std::string>& sizes) {
  constexpr std::array<const char*, 3> kinds = {"kernel_bench", "gpu_mode", "skill"};
  Json words = {kinds.at(static_cast<size_t>(kind)), path};
  for (const std::string& size : sizes) words.push_back(size);
  return words.dump(-1, ' ', false, Json::error_handler_t::replace);
}

[[noreturn]] void refuse_late(const std::string& path) {
  throw Error(Exit::usage, printable(path) + ": found no shapes within two minutes");
}

[[noreturn]] void refuse_ended(const std::string& path, const std::string& printed) {
  std::string_view said = trim(printed);
  throw Error(Exit::usage, printable(path) + ": its code ended Python" +
                               (said.empty() ? "" : ", which had said: " + ellipsis(printable(said), 200)));
}

}  // namespace

std::string ProblemProbe::listen(const std::string& path) {
  std::string answer;
  Child::Heard heard = python_->listen(answer, patience_ms);
  if (heard == Child::Heard::line) return answer;
  std::string printed = python_->output();
  python_.reset();
  if (heard == Child::Heard::timeout) refuse_late(path);
  refuse_ended(path, printed);
}

std::string ProblemProbe::ask(Problem kind, const std::string& path, const std::vector<std::string>& sizes) {
  std::string python = find_python();
  if (!python_)
    python_ = std::make_unique<Child>(
        ChildSetup{{python, "-c", program()}, own_environment(), std::filesystem::current_path(), {}});
  python_->send(line_of(kind, path, sizes));
  std::string answer = listen(path);
  if (answer.starts_with("{\"missing\""))
    throw Error(Exit::unavailable,
                python + " has no PyTorch 2, and this problem's shapes are known to it alone",
                "name an interpreter that has: EXPLOG_PYTHON=/path/to/python");
  if (answer.starts_with("{\"late\"")) refuse_late(path);
  if (answer.starts_with("{\"ended\"")) refuse_ended(path, text_at(parsed_foreign(answer, path), "ended"));
  return answer;
}

}  // namespace explog::bench
