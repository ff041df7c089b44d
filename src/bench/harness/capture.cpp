#include "bench/harness/capture.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/child.h"
#include "base/file.h"
#include "base/text.h"
#include "bench/harness/private_folder.h"
#include "bench/harness/python_candidate.h"
#include "harness/protocol.h"

namespace explog::bench {
namespace {

constexpr int usual_patience_ms = 60'000;
constexpr std::size_t calls_of_a_case = 8;
// Of one process: each brings a CUDA runtime of its own, with keys for threads, of which a process has 1024.
constexpr std::size_t most_libraries = 100;
constexpr const char* named_later = "-";  // in place of a library
constexpr std::uintmax_t largest_left = 100, largest_chosen = std::uintmax_t{1} << 16;
constexpr std::uintmax_t largest_plan = std::uintmax_t{256} << 20;

std::string chosen_file(const PrivateFolder& folder) { return folder.path() + "/plan.chosen"; }

ChildSetup child_setup(const RunnerSetup& setup, const PrivateFolder& folder, const std::string& library,
                       const std::vector<Case>& cases, const SampleOrder& inputs) {
  ChildSetup child;
  child.argv = setup.interpreter;
  child.argv.insert(child.argv.end(), {setup.program, "plan", library,
                                       fmt::format("inputs={},{}", inputs.seed, inputs.poison)});
  for (const Case& c : cases) {
    if (&c != &cases.front()) child.argv.emplace_back("next");
    const std::string words = runner_words(c);  // outlives the views into it
    for (std::string_view word : split(trim(words), ' ')) child.argv.emplace_back(word);
  }
  child.environment = helper_environment(setup, folder.path());
  if (!setup.interpreter.empty()) {
    // Each workspace of torch's an allocation of its own: a plan names them one by one.
    child.environment.emplace_back("PYTORCH_NO_CUDA_MEMORY_CACHING=1");
    child.environment.emplace_back("EXPLOG_CHOSEN=" + chosen_file(folder));
  }
  child.folder = folder.path();
  return child;
}

// What the process said last is the reason, where it said one.
std::string why_not(const PrivateFolder& folder, const Child::Ending& ending) {
  std::string file = folder.path() + "/plan.error";
  if (std::filesystem::exists(file)) return std::string(trim(read_file(file)));
  return fmt::format("the process that ran it ended with status {}", ending.status);
}

std::string too_long(std::size_t cases, int patience_ms) {
  return fmt::format("{} calls took longer than {} s", calls_of_a_case * cases, patience_ms / 1000);
}

int patience_ms(const std::string& library) {
  return usual_patience_ms * (compiles_long(library) ? protocol::patience_with_a_compiler : 1);
}

// The plans with this number, of a process that went well so far.
Captured read_plans(const PrivateFolder& folder, const Child::Ending& ending, std::size_t number) {
  Captured captured;
  for (std::size_t i = 0; i < captured.plans.size(); ++i) {
    std::string file = fmt::format("{}/plan.{}.{}", folder.path(), number, i);
    std::error_code missing;
    std::uintmax_t bytes = std::filesystem::file_size(file, missing);
    if (ending.status != 0 || missing)
      captured.error = why_not(folder, ending);
    else if (bytes > largest_plan)
      captured.error = fmt::format("its plan has {} bytes; {} are read at most", bytes, largest_plan);
    if (!captured.error.empty()) break;
    captured.plans[i] = read_file(file);
  }
  std::string left = fmt::format("{}/plan.{}.left", folder.path(), number);
  std::error_code missing;
  if (std::filesystem::file_size(left, missing) <= largest_left && !missing) captured.left = read_file(left);
  return captured;
}

// Nothing where there is none, or more than anybody tunes.
std::string read_chosen(const PrivateFolder& folder) {
  std::error_code missing;
  std::uintmax_t bytes = std::filesystem::file_size(chosen_file(folder), missing);
  return missing || bytes > largest_chosen ? "" : read_file(chosen_file(folder));
}

}  // namespace

std::vector<Captured> capture(const RunnerSetup& setup, const std::string& library,
                              const std::vector<Case>& cases, const SampleOrder& inputs) {
  PrivateFolder folder;
  Child child(child_setup(setup, folder, library, cases, inputs));
  std::vector<Captured> captured(cases.size());
  std::string line;
  const int patience = patience_ms(library);
  if (child.listen(line, patience) == Child::Heard::timeout) {
    for (Captured& each : captured) {
      each.error = too_long(cases.size(), patience);
      each.in_time = false;
    }
    return captured;
  }
  Child::Ending ending = child.finish(patience);
  for (std::size_t i = 0; i < captured.size(); ++i) {
    captured[i] = read_plans(folder, ending, i);
    captured[i].chosen = read_chosen(folder);
  }
  return captured;
}

Capturing::Capturing(RunnerSetup setup, Case problem, const SampleOrder& inputs)
    : setup_(std::move(setup)), problem_(std::move(problem)), inputs_(inputs) {
  begin();
}

void Capturing::begin() {
  child_.reset();  // before its folder goes
  folder_ = std::make_unique<PrivateFolder>();
  child_ = std::make_unique<Child>(child_setup(setup_, *folder_, named_later, {problem_}, inputs_));
  named_ = 0;
}

void Capturing::name(const std::string& library) {
  if (!child_ || named_ == most_libraries) begin();
  patience_ms_ = patience_ms(library);
  ++named_;
  child_->send(library);
}

Captured Capturing::take() {
  const std::size_t number = named_ - 1;
  std::string line;
  Child::Heard heard = child_->listen(line, patience_ms_);
  Captured captured;
  const std::string mine = fmt::format("{} ", number);
  const bool answered = heard == Child::Heard::line && line.starts_with(mine);
  if (answered && trim(line.substr(mine.size())) == "captured")
    captured = read_plans(*folder_, {}, number);
  else if (answered)
    captured.error = std::string(trim(line.substr(mine.size())));
  else if (heard == Child::Heard::line)
    captured.error = "an answer that nobody asked for";
  else if (heard == Child::Heard::end)
    captured.error = why_not(*folder_, child_->finish(patience_ms_));
  else
    captured.error = too_long(1, patience_ms_), captured.in_time = false;
  if (!answered) child_.reset();
  return captured;
}

}  // namespace explog::bench
