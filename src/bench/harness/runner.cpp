#include "bench/harness/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstring>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.h"
#include "base/text.h"
#include "bench/harness/python_candidate.h"
#include "bench/harness/runner_answers.h"
#include "bench/judge/wall.h"

namespace explog::bench {

using protocol::Command;

namespace {

using Steady = std::chrono::steady_clock;

double since(Steady::time_point start) {
  return std::chrono::duration<double, std::milli>(Steady::now() - start).count();
}

ChildSetup child_setup(const RunnerSetup& setup, const PrivateFolder& folder, const SharedMemory& inputs,
                       const SharedMemory& outputs) {
  ChildSetup child;
  child.argv = setup.before;
  child.argv.insert(child.argv.end(), setup.interpreter.begin(), setup.interpreter.end());
  child.argv.push_back(setup.program);
  child.environment = helper_environment(setup, folder.path());
  child.folder = folder.path();
  child.shared = {inputs.fd(), outputs.fd()};
  return child;
}

std::string word_of(RunnerArm arm) { return std::to_string(static_cast<int>(arm)); }
std::string word_of(const std::string& word) { return word; }
template <std::integral Number>
std::string word_of(Number number) {
  return std::to_string(number);
}

Afterwards afterwards_of(const Json& answer) {
  return {answer.value("threads", 0), 0, false, answer.value("launch_ms", 0.0)};
}

void copy_bytes(char* to, const char* from, std::size_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);
}

int patience_of(const RunnerSetup& setup) {
  return (setup.before.empty() ? 1 : protocol::patience_under_a_tool) *
         (setup.interpreter.empty() ? 1 : protocol::patience_with_an_interpreter);
}

void check_protocol(int number, const std::string& program) {
  if (number == protocol::number) return;
  std::string theirs = number == 0 ? "names no protocol" : fmt::format("speaks protocol {}", number);
  throw Error(
      Exit::unavailable,
      fmt::format("the runner {} {}, this explog speaks {}", printable(program), theirs, protocol::number),
      "use a runner of this version of explog");
}

}  // namespace

Runner::Runner(const RunnerSetup& setup, const PrivateFolder& folder, Hello when)
    : program_(setup.program),
      replays_(setup.replays),
      lines_(child_setup(setup, folder, inputs_, outputs_)),
      patience_(patience_of(setup)) {
  lines_.tell(fmt::format("{} {}", protocol::row(Command::hello).name, protocol::number));
  if (when == Hello::now) hello();
}

void Runner::hello() {
  if (!device_.clock.empty()) return;
  Json answer = lines_.hear(1000 * protocol::row(Command::hello).limit_s * patience_);
  check_protocol(answer.value("protocol", 0), program_);
  device_ = device_of(answer);
  if (on_host()) lines_.hold_between_questions();
}

bool Runner::has_begun() {
  try {
    hello();
    return true;
  } catch (const Failed&) {
    return false;
  }
}

template <class... Words>
Json Runner::ask_within(int limit_s, Command command, const Words&... words) {
  std::string line = protocol::row(command).name;
  ((line += " " + word_of(words)), ...);
  return lines_.ask(line, 1000 * limit_s * patience_);
}

template <class... Words>
Json Runner::ask(Command command, const Words&... words) {
  int factor = command == Command::load ? load_patience_ : 1;
  return ask_within(protocol::row(command).limit_s * factor, command, words...);
}

void Runner::load(RunnerArm arm, const std::string& library) {
  load_patience_ = compiles_long(library) ? protocol::patience_with_a_compiler : 1;
  threads_before_load_ = ask(Command::load, arm, library).value("threads_before", 0);
}

void Runner::shape(const Case& c, int sets, bool guards) {
  case_ = c;
  sets_ = sets;
  slots_bytes_ = 0;
  std::size_t guard = guards ? protocol::guard_bytes : 0;
  for (const Operand& o : c.operands) {
    bool saved = o.argument->role != Role::scalar && (guards || o.argument->role != Role::workspace);
    slots_bytes_ += saved ? protocol::slot_bytes(guard, o.bytes()) : 0;
  }
  inputs_.reserve(c.input_bytes());
  outputs_.reserve(slots_bytes_);
  Json answer = ask(Command::shape, guard, sets, std::string(trim(runner_words(c))));
  if (on_host() && guards) in_place_.find(answer.value("slots", Json()), c);
}

void Runner::copy_slots(char* to) const { copy_bytes(to, outputs_.data(), slots_bytes_); }

void Runner::input(int set, const char* payloads) {
  if (on_host()) {
    drawn_.reserve(case_.input_bytes());
    return copy_bytes(drawn_.data(), payloads, case_.input_bytes());
  }
  copy_bytes(inputs_.data(), payloads, case_.input_bytes());
  ask(Command::input, set, 0, case_.input_bytes());
}

Afterwards Runner::call(RunnerArm arm, int set, std::uint64_t poison, char* slots) {
  if (on_host()) return call_in_place(arm, set, poison, slots);
  Afterwards after = afterwards_of(ask(Command::call, arm, set, poison, 0));
  copy_slots(slots);
  return after;
}

Afterwards Runner::call_in_place(RunnerArm arm, int set, std::uint64_t poison, char* slots) {
  in_place_.put(lines_.child(), case_, set, drawn_.data(), poison);
  ask(Command::begin, arm);
  ask_within(protocol::row(Command::call).limit_s, Command::go, set);
  in_place_.read(lines_.child(), case_, set, slots);
  Afterwards after{threads()};
  if (arm == RunnerArm::candidate) look_again(set, slots, after);
  ask(Command::end);
  return after;
}

// Lets the process run for a moment in which nothing is asked for. Threads of a pool that wait for work cost nothing there.
void Runner::look_again(int set, const char* slots, Afterwards& after) {
  constexpr auto moment = std::chrono::microseconds(300);
  lines_.child().wait_until_off();
  double before = lines_.child().cpu_ms_beside_main();
  lines_.let_run();
  std::this_thread::sleep_for(moment);
  lines_.hold_between_questions();
  lines_.child().wait_until_off();
  after.late_ms = lines_.child().cpu_ms_beside_main() - before;
  after.changed = !in_place_.hold(lines_.child(), case_, set, slots);
}

void Runner::fetch(int set, char* slots) {
  if (on_host()) return in_place_.read(lines_.child(), case_, set, slots);
  ask(Command::fetch, set, 0);
  copy_slots(slots);
}

// Inputs that lie in files nobody can draw there.
Afterwards Runner::sample(const SampleOrder& order, PassResult& pass) {
  if (on_host()) {
    sample_in_place(order, pass);
    return {};
  }
  bool handed = case_.has_given();
  if (handed) {
    drawn_.reserve(case_.input_bytes());
    generate_inputs(case_, order.seed, drawn_.data());
  }
  auto start = Steady::now();
  Json answer;
  if (handed) {
    copy_bytes(inputs_.data(), drawn_.data(), case_.input_bytes());
    answer = ask(Command::sample, order.set, order.poison);
  } else {
    answer = ask(Command::sample, order.set, order.poison, order.seed);
  }
  pass.call_wall_ms.push_back(since(start));
  return afterwards_of(answer);
}

// On the host the inputs are drawn here and put into buffers of a process that is stopped, so that nothing of it can have
// begun with them before its time runs; and it is stopped again before that time ends, so that nothing is done after it.
void Runner::sample_in_place(const SampleOrder& order, PassResult& pass) {
  in_place_.fill(lines_.child(), case_, order, device_.flush_bytes);
  const Child& child = lines_.child();
  double waited = child.waited_for_processor_ms(), worked = child.cpu_ms();
  auto start = Steady::now();
  ask(Command::go, order.set);
  double wall = since(start);
  waited = child.waited_for_processor_ms() - waited, worked = child.cpu_ms() - worked;
  pass.call_wall_ms.push_back(wall);
  pass.call_own_ms.push_back(own_ms(wall, waited, worked));
  pass.call_worked_ms.push_back(worked);
}

// One seed says nothing of another, nor the poison of the seed: a candidate may find what its process was told for a call.
SampleOrder Runner::order(std::uint64_t pass_seed, int call) const {
  std::array<std::uint64_t, 2> words{pass_seed, static_cast<std::uint64_t>(call)};
  std::string text(secret_.begin(), secret_.end());
  text.append(reinterpret_cast<const char*>(words.data()), sizeof words);
  Bytes16 drawn = blake2b_128(text);
  std::memcpy(words.data(), drawn.data(), sizeof words);
  return {call % sets_, words[0], words[1] | 1};
}

void Runner::sample_one_by_one(int count, std::uint64_t seed, const Look& look, PassResult& pass) {
  for (int i = 0; i < count; ++i) {
    Afterwards after = sample(order(seed, i), pass);
    pass.threads = std::max(pass.threads, after.threads);
    if (!look.slots || i != (look.call == last_call ? count - 1 : look.call)) continue;
    looked_at_ = order(seed, i);
    if (on_host()) in_place_.read(lines_.child(), case_, looked_at_.set, look.slots);
  }
}

void Runner::sample_at_once(int count, std::uint64_t seed, PassResult& pass) {
  for (int begin = 0; begin < count; begin += protocol::most_samples) {
    int end = std::min(count, begin + protocol::most_samples);
    std::string calls;
    for (int i = begin; i < end; ++i) {
      looked_at_ = order(seed, i);
      calls += fmt::format("{}{} {} {}", calls.empty() ? "" : " ", looked_at_.set, looked_at_.poison,
                           looked_at_.seed);
    }
    Json answer =
        ask_within(protocol::row(Command::samples).limit_s * (end - begin), Command::samples, calls);
    std::vector<std::string> hashes = texts(answer, "hashes");
    if (!hashes.empty() && hashes.size() != static_cast<std::size_t>(end - begin))
      throw Failed{"forged", "an answer with another number of calls than asked for"};
    pass.hashes.insert(pass.hashes.end(), hashes.begin(), hashes.end());
  }
}

PassResult Runner::pass(RunnerArm arm, int count, std::uint64_t seed, const Look& look) {
  auto start = Steady::now();
  PassResult p;
  ask(Command::begin, arm);
  if (replays_ && !case_.has_given())
    sample_at_once(count, seed, p);
  else
    sample_one_by_one(count, seed, look, p);
  if (look.slots && !on_host()) fetch(looked_at_.set, look.slots);
  Json answer = ask(Command::end);
  p.wall_ms = since(start);
  p.event_ms = numbers(answer, "event_ms");
  p.kernel_ms = numbers(answer, "kernel_ms");
  p.activities = numbers(answer, "activities");
  if (p.event_ms.size() != static_cast<std::size_t>(count) || p.kernel_ms.size() != p.event_ms.size() ||
      p.activities.size() != p.event_ms.size())
    throw Failed{"forged", "an answer with another number of samples than asked for"};
  if (on_host()) return p;  // it has no clocks to tell of
  p.sm_mhz = answer.value("sm_mhz", 0.0);
  p.throttle = answer.value("throttle", std::uint64_t{0});
  p.persisting_l2 = answer.value("persisting_l2", std::uint64_t{0});
  return p;
}

std::string Runner::left_by(RunnerArm arm, const SampleOrder& order) {
  ask(Command::begin, arm);
  std::vector<std::string> hashes =
      texts(ask(Command::samples, order.set, order.poison, order.seed), "hashes");
  ask(Command::end);
  if (hashes.size() != 1) throw Failed{"forged", "an answer with another number of calls than asked for"};
  return hashes.front();
}

int Runner::lasting_threads(int allowed) const {
  int running = threads();
  for (auto start = Steady::now(); running > allowed && since(start) < 100; running = threads())
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return running;
}

bool Runner::works_on() {
  if (threads() <= 1) return false;
  lines_.let_run();
  bool works = works_while_unasked();
  lines_.hold_between_questions();
  return works;
}

bool Runner::works_while_unasked() const {
  constexpr auto moment = std::chrono::milliseconds(4);
  double before = lines_.child().cpu_ms_beside_main();
  for (auto start = Steady::now(); since(start) < 100;) {
    std::this_thread::sleep_for(moment);
    double now = lines_.child().cpu_ms_beside_main();
    if (now - before < 0.4) return false;
    before = now;
  }
  return true;
}

BurstResult Runner::burst(RunnerArm arm, int count, std::uint64_t poison) {
  auto start = Steady::now();
  Json answer = ask(Command::burst, arm, count, poison);
  return {answer.value("ms", 0.0), since(start)};
}

bool Runner::returns_early(RunnerArm arm) { return ask(Command::probe, arm).value("returns_early", false); }

ProfileResult Runner::profile(RunnerArm arm, std::span<const std::string_view> metrics) {
  std::vector<std::string> names(metrics.begin(), metrics.end());
  Json answer = ask(Command::profile, arm, join(names, " "));
  if (!answer.contains("launches") || !answer["launches"].is_array())
    throw Failed{"forged", "an answer without launches"};
  ProfileResult result;
  for (const Json& j : answer["launches"]) result.launches.push_back(launch_of(j, device_));
  if (answer.contains("missing") && answer["missing"].is_array()) {
    for (const Json& name : answer["missing"]) {
      if (name.is_string()) result.missing.push_back(name.get<std::string>());
    }
  }
  result.note = answer.value("note", "");
  return result;
}

}  // namespace explog::bench
