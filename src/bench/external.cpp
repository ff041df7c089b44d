#include "bench/external.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <random>

#include "base/error.h"
#include "base/process.h"
#include "base/text.h"
#include "bench/judge/metric_lines.h"
#include "bench/judge/verdict.h"

namespace explog::bench {
namespace {

namespace fs = std::filesystem;

// Of programs, which may take longer than all the time that there is: by then one series of blocks in thousands still
// leaves no interval, of 20 one in twenty-five.
constexpr std::size_t least_blocks = looks[2];

struct CommandFailed {
  std::string reason, detail;
};

std::string last_words(const std::string& output) {
  auto lines = split(trim(output), '\n');
  return lines.empty() ? "" : printable(trim(lines.back()).substr(0, 200));
}

std::string with_last_line(std::string sentence, const std::string& output) {
  std::string line = last_words(output);
  return line.empty() ? sentence + " and printed nothing" : sentence + ": " + line;
}

std::string why_it_ended(const Finished& done, bool is_check) {
  if (done.timed_out) return "timeout";
  if (is_check && done.status == 1) return "check_failed";
  return done.status > 128 ? "crash" : "exit";
}

class ExternalCourse {
 public:
  ExternalCourse(const ExternalCommands& commands, const ExternalOptions& options,
                 const std::function<void(const std::string&)>& progress)
      : commands_(commands), options_(options), progress_(progress), metric_(options.metric) {}

  void check(const ExternalVersion& version) {
    progress_("checking " + version.name);
    fs::remove_all(version.work);
    fs::create_directories(version.work);
    run("--check", commands_.check, version);
  }

  // All metrics of one run; that which decides must be a time, a size or a count: above 0.
  Facts measure(const ExternalVersion& version) {
    progress_(fmt::format("measuring {}, run {}", version.name, ++runs_));
    std::string output = run("--measure", commands_.measure, version);
    MetricLines lines = metrics_in(output);
    if (!lines.fault.empty()) throw CommandFailed{"no_metric", "--measure printed " + lines.fault};
    if (lines.metrics.empty())
      throw CommandFailed{"no_metric", with_last_line("--measure printed no line METRIC name=value", output)};
    if (metric_.empty()) metric_ = lines.metrics.front().first;
    auto value = fact(lines.metrics, metric_);
    if (!value)
      throw CommandFailed{"no_metric",
                          "--measure printed no METRIC " + metric_ + ", by which version 0 was judged"};
    if (*value <= 0)
      throw CommandFailed{
          "no_metric", fmt::format("METRIC {}={}: what decides must be above 0, less being better", metric_,
                                   number_text(*value))};
    return lines.metrics;
  }

  const std::string& metric() const { return metric_; }

 private:
  std::string run(const char* flag, const std::string& command, const ExternalVersion& version) {
    std::string script = fmt::format(
        "cd {} && EXPLOG_FILE={} EXPLOG_WORK={} && export EXPLOG_FILE EXPLOG_WORK && {{ {}\n}}",
        shell_quoted(commands_.folder), shell_quoted(version.file), shell_quoted(version.work), command);
    Finished done = run_program({"/bin/sh", "-c", script}, static_cast<int>(1000 * options_.limit_s));
    if (done.timed_out)
      throw CommandFailed{"timeout", fmt::format("{} took longer than {:g} s", flag, options_.limit_s)};
    if (done.status != 0)
      throw CommandFailed{why_it_ended(done, flag == std::string_view("--check")),
                          with_last_line(fmt::format("{} ended with {}", flag, done.status), done.output)};
    return done.output;
  }

  const ExternalCommands& commands_;
  const ExternalOptions& options_;
  const std::function<void(const std::string&)>& progress_;
  std::string metric_;
  int runs_ = 0;
};

// Both versions in turns, and what they have printed so far.
class ExternalTurns {
 public:
  ExternalTurns(ExternalCourse& course, const ExternalVersion& baseline, const ExternalVersion& candidate)
      : course_(course), versions_{&baseline, &candidate, &baseline}, random_(std::random_device{}()) {}

  ShapeRun run(double max_seconds) {
    ShapeRun shape;
    auto began = std::chrono::steady_clock::now();
    for (;;) {
      shape.blocks.push_back(block());
      double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
      bool late = out_of_time(shape, spent, max_seconds, least_blocks);
      shape.stop = precise_enough(shape)                ? "precision"
                   : !may_continue(shape.blocks.size()) ? "blocks"
                   : late                               ? "time"
                                                        : "";
      if (!shape.stop.empty()) return shape;
    }
  }

  Facts medians(bool of_candidate) const {
    Facts facts;
    for (const auto& [name, values] : seen_[of_candidate ? 1 : 0]) add_named(facts, name, median(values));
    return facts;
  }

  Facts once(Arm arm) {
    const bool candidate = arm == Arm::candidate;
    try {
      return course_.measure(*of_arm(versions_, arm));
    } catch (const CommandFailed& failed) {
      if (candidate || versions_[0] == versions_[1]) throw;
      throw Error(Exit::inconclusive, versions_[0]->name + ", the best so far, fails now: " + failed.detail,
                  "what it needs was changed: put it back, then judge again");
    }
  }

 private:
  Block block() {
    Block block;
    std::shuffle(block.order.begin(), block.order.end(), random_);
    for (Arm arm : block.order) {
      Facts metrics = once(arm);
      for (const auto& [name, value] : metrics) seen_[arm == Arm::candidate ? 1 : 0][name].push_back(value);
      of_arm(block.passes, arm).ms = {*fact(metrics, course_.metric())};
    }
    return block;
  }

  ExternalCourse& course_;
  std::array<const ExternalVersion*, 3> versions_;
  std::mt19937_64 random_;
  std::array<std::map<std::string, std::vector<double>>, 2> seen_;
};

void check_versions(ExternalCourse& course, const ExternalVersion& baseline,
                    const ExternalVersion& candidate) {
  course.check(candidate);
  if (&baseline == &candidate) return;
  try {
    course.check(baseline);
  } catch (const CommandFailed& failed) {
    throw Error(Exit::inconclusive, baseline.name + ", the best so far, fails now: " + failed.detail,
                "what it needs was changed: put it back, then judge again");
  }
}

}  // namespace

ExternalTiming time_external(const ExternalCommands& commands, const ExternalVersion& baseline,
                             const ExternalVersion& candidate, const ExternalOptions& options,
                             const std::function<void(const std::string&)>& progress) {
  ExternalTiming timing;
  Measurement& m = timing.measurement;
  ExternalCourse course(commands, options, progress);
  ExternalTurns turns(course, baseline, candidate);
  try {
    check_versions(course, baseline, candidate);
    turns.once(Arm::baseline), turns.once(Arm::candidate);  // files are in memory from here on
    m.correctness = "pass";
    // Of many versions the best first result is the luckiest: a gain is measured again, and that counts.
    do {
      m.runs.push_back({{turns.run(options.max_seconds)}});
    } while (m.runs.size() < 2 && judge(m).verdict == Decision::keep);
  } catch (const CommandFailed& failed) {
    m.correctness = failed.reason, m.correctness_detail = failed.detail;
    m.runs.clear();
  }
  timing.metric = course.metric();
  timing.before = turns.medians(false), timing.after = turns.medians(true);
  return timing;
}

}  // namespace explog::bench
