// The runner: loads candidates and calls them on the supervisor's word. One command a line (a token, the command, its
// words), one JSON object a line in answer; inputs and outputs lie in shared memory (schema/formats/runner.md). What
// an arm is, a shared object or the plan of one, is said by loaded.h. Nothing here is a verdict: what is right, fast or
// a cheat is decided by the supervisor from the bytes it gets back.
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <sstream>

#include "answer.h"
#include "buffers.h"
#include "device.h"
#include "entry.h"
#include "harness/protocol.h"
#include "loaded.h"
#include "sandbox.h"
#include "shared_file.h"
#include "threads.h"

namespace explog {
namespace {

using protocol::Command;
using protocol::RunnerArm;

// The empty kernel, or nothing at all.
class Empty : public Loaded {
 public:
  Call function() const override { return device::empty(); }
  bool is_plan() const override { return true; }
};

struct Runner {
  Threads threads;
  int usual_threads = 0;                          // before anything was loaded
  Loaded* timed = nullptr;                        // what the pass calls
  std::array<std::unique_ptr<Loaded>, 2> loaded;  // by RunnerArm
  Empty empty;
  std::unique_ptr<Buffers> buffers;
  Shared inputs{protocol::inputs_fd, PROT_READ}, outputs{protocol::outputs_fd, PROT_READ | PROT_WRITE};

  // Throws Failure when it, or the buffers, are not there yet.
  Loaded& arm(RunnerArm which) {
    if (!buffers) throw Failure("protocol", "no shape yet");
    if (which == RunnerArm::empty) return empty;
    auto& arm = loaded.at(static_cast<std::size_t>(which));
    if (!arm) throw Failure("protocol", "nothing is loaded");
    return *arm;
  }
};

RunnerArm read_arm(std::istringstream& words) {
  int arm = -1;
  words >> arm;
  if (arm < 0 || arm > static_cast<int>(RunnerArm::empty)) throw Failure("protocol", "no such arm");
  return static_cast<RunnerArm>(arm);
}

void load(Runner& r, std::istringstream& words) {
  auto which = static_cast<std::size_t>(read_arm(words));
  std::string path;
  words >> path;
  int before = r.usual_threads = r.threads.count();
  r.loaded.at(which).reset();
  r.loaded.at(which) = load_file(path);
  reply("\"ok\":true,\"threads_before\":" + std::to_string(before));
}

void shape(Runner& r, std::istringstream& words) {
  std::size_t guard = 0;
  int sets = 1;
  words >> guard >> sets;
  Shape wanted;
  for (std::string word; words >> word;) wanted.add(word);
  for (auto& arm : r.loaded) {
    if (arm) arm->forget();
  }
  r.buffers.reset();
  r.buffers = std::make_unique<Buffers>(std::move(wanted), guard, sets);
  device::synchronize();
  std::string where = device::in_reach() ? ",\"slots\":" + r.buffers->addresses() : "";
  reply("\"ok\":true" + where);
}

void input(Runner& r, std::istringstream& words) {
  int set = 0;
  std::size_t offset = 0, bytes = 0;
  words >> set >> offset >> bytes;
  if (!r.buffers) throw Failure("protocol", "no shape yet");
  r.buffers->load(set, r.inputs.at(offset, bytes));
  reply("\"ok\":true");
}

void save(Runner& r, int set, std::size_t offset) {
  r.buffers->save(set, r.outputs.at(offset, r.buffers->saved_bytes()));
}

// What a command that calls says beside "ok": how many threads are still there right after it.
std::string words_of_call(const Runner& r, int usual_threads) {
  return "\"ok\":true,\"threads\":" + std::to_string(r.threads.count(usual_threads));
}

void call(Runner& r, std::istringstream& words) {
  Loaded& arm = r.arm(read_arm(words));
  std::size_t offset = 0;
  int set = 0;
  std::uint64_t poison = 0;
  words >> set >> poison >> offset;
  void** arguments = arm.call(*r.buffers, set);
  r.buffers->prepare(set, poison);
  arm.restore(set);
  device::synchronize();
  auto begin = std::chrono::steady_clock::now();
  arm.function()(arguments);
  std::chrono::duration<double, std::milli> launch = std::chrono::steady_clock::now() - begin;
  arm.collect(*r.buffers, set);
  std::string answer = words_of_call(r, 0);
  arm.raise_errors();
  device::synchronize();
  save(r, set, offset);
  reply(answer + ",\"launch_ms\":" + std::to_string(launch.count()));
}

void fetch(Runner& r, std::istringstream& words) {
  int set = 0;
  std::size_t offset = 0;
  words >> set >> offset;
  if (!r.buffers) throw Failure("protocol", "no shape yet");
  save(r, set, offset);
  reply("\"ok\":true");
}

template <class T>
std::string list(const std::vector<Sample>& samples, T Sample::*member) {
  std::ostringstream out;
  out.precision(9);
  out << "[";
  for (const Sample& s : samples) out << (&s == samples.data() ? "" : ",") << s.*member;
  return out.str() + "]";
}

// What a plan needs for a set of buffers is made here, outside the first timed call.
void begin(Runner& r, std::istringstream& words) {
  r.timed = &r.arm(read_arm(words));
  for (int set = 0; set < r.buffers->sets(); ++set) r.timed->call(*r.buffers, set);
  device::begin_pass();
  reply("\"ok\":true");
}

// The inputs of the set lie there, and its outputs are poisoned.
void call_cold(const Runner& r, int set, void** arguments) {
  r.timed->restore(set);
  device::flush();
  device::time(r.timed->function(), arguments);
  r.timed->collect(*r.buffers, set);
}

// One cold call, on a GPU. How many follow is not known here. Without a seed the inputs are those at descriptor 5, and what the call
// left is written to descriptor 6 before the answer: work put off until somebody looks at the outputs is in the
// supervisor's time.
void sample(Runner& r, std::istringstream& words) {
  int set = 0;
  std::uint64_t poison = 0, seed = 0;
  words >> set >> poison;
  bool drawn = static_cast<bool>(words >> seed);
  if (!r.timed) throw Failure("protocol", "no pass has begun");
  void** arguments = r.timed->call(*r.buffers, set);
  if (drawn) {
    r.buffers->refill(set, seed, poison);
  } else {
    r.buffers->load(set, r.inputs.at(0, r.buffers->input_bytes()));
    r.buffers->prepare(set, poison);
  }
  call_cold(r, set, arguments);
  std::string answer = words_of_call(r, r.usual_threads);
  r.timed->raise_errors();
  if (!drawn) save(r, set, 0);
  reply(answer);
}

// Cold calls one after the other, where no code of a candidate's runs: what this process knows of the next one is no matter
// then, and to wake two processes for each would take as long as the call.
void samples(Runner& r, std::istringstream& words) {
  if (!r.timed) throw Failure("protocol", "no pass has begun");
  if (!r.timed->is_plan()) throw Failure("protocol", "a candidate's calls are asked for one by one");
  r.timed->noted();  // of calls that ended with a failure
  int set = 0;
  std::uint64_t poison = 0, seed = 0;
  while (words >> set >> poison >> seed) {
    void** arguments = r.timed->call(*r.buffers, set);
    r.buffers->refill(set, seed, poison);
    call_cold(r, set, arguments);
    r.timed->note(*r.buffers, set);
  }
  std::string hashes;  // as text: they do not fit into a double
  for (std::uint64_t hash : r.timed->noted())
    hashes += (hashes.empty() ? "\"" : ",\"") + std::to_string(hash) + "\"";
  reply("\"ok\":true,\"hashes\":[" + hashes + "]");
}

// One call on what the supervisor has put into the buffers while nothing ran here: nothing else is done, so that
// nothing else is in the supervisor's time of it.
void go(Runner& r, std::istringstream& words) {
  int set = 0;
  words >> set;
  if (!r.timed) throw Failure("protocol", "no pass has begun");
  void** arguments = r.timed->call(*r.buffers, set);
  device::time(r.timed->function(), arguments);
  r.timed->collect(*r.buffers, set);
  r.timed->raise_errors();
  reply("\"ok\":true");
}

void end(Runner& r, std::istringstream&) {
  r.timed = nullptr;
  std::vector<Sample> samples = device::end_pass();
  Clocks clocks = device::clocks();
  std::ostringstream out;
  out << "\"ok\":true,\"event_ms\":" << list(samples, &Sample::event_ms)
      << ",\"kernel_ms\":" << list(samples, &Sample::kernel_ms)
      << ",\"activities\":" << list(samples, &Sample::activities) << ",\"sm_mhz\":" << clocks.sm_mhz
      << ",\"throttle\":" << clocks.throttle << ",\"persisting_l2\":" << clocks.persisting_l2;
  reply(out.str());
}

// The last set is for the last call alone: what it holds afterwards tells of a call right after others, and of no
// earlier one.
void burst(Runner& r, std::istringstream& words) {
  Loaded& arm = r.arm(read_arm(words));
  int count = 0;
  std::uint64_t poison = 0;
  words >> count >> poison;
  std::vector<void**> arguments;
  for (int set = 0; set < r.buffers->sets(); ++set) {
    arguments.push_back(arm.call(*r.buffers, set));
    r.buffers->prepare(set, poison);
    arm.restore(set);
  }
  device::synchronize();
  double ms = device::burst(arm.function(), arguments, count);
  arm.collect(*r.buffers, r.buffers->sets() - 1);  // that of the last call
  arm.raise_errors();
  reply("\"ok\":true,\"ms\":" + std::to_string(ms));
}

void probe(Runner& r, std::istringstream& words) {
  Loaded& arm = r.arm(read_arm(words));
  void** arguments = arm.call(*r.buffers, 0);
  r.buffers->refill(0, 1, 1);
  arm.restore(0);
  bool early = device::returns_early(arm.function(), arguments);
  reply(std::string("\"ok\":true,\"returns_early\":") + (early ? "true" : "false"));
}

void profile(Runner& r, std::istringstream& words) {
  Loaded& arm = r.arm(read_arm(words));
  std::vector<std::string> metrics;
  for (std::string word; words >> word;) metrics.push_back(word);
  void** arguments = arm.call(*r.buffers, 0);
  std::uint64_t seed = 1;
  auto prepare = [&] {
    r.buffers->refill(0, seed, seed | 1);
    arm.restore(0);
    ++seed;
    device::synchronize();
  };
  auto work = [&] {
    arm.function()(arguments);
    device::synchronize();
  };
  std::string members = device::profile(metrics, prepare, work);
  arm.raise_errors();
  reply("\"ok\":true," + members);
}

// The supervisor judges by the number, so it is said before anything can fail.
void hello(Runner&, std::istringstream& words) {
  int theirs = 0;
  words >> theirs;
  std::string answer = "\"ok\":true,\"protocol\":" + std::to_string(protocol::number);
  if (theirs != protocol::number) return reply(answer);
  std::string facts = device::start();
  bool on_gpu = facts.find("\"arch\":\"host\"") == std::string::npos;
  std::string sandbox = enter_sandbox(on_gpu);
  reply(answer + ",\"sandbox\":" + quote(sandbox) + "," + facts);
}

struct Handler {
  Command command;
  void (*run)(Runner&, std::istringstream& words);
};
constexpr std::array<Handler, std::size(protocol::commands)> handlers = {{
    {Command::hello, hello},
    {Command::load, load},
    {Command::shape, shape},
    {Command::input, input},
    {Command::call, call},
    {Command::fetch, fetch},
    {Command::begin, begin},
    {Command::sample, sample},
    {Command::samples, samples},
    {Command::go, go},
    {Command::end, end},
    {Command::burst, burst},
    {Command::probe, probe},
    {Command::profile, profile},
}};

void obey(Runner& r, const std::string& line) {
  std::istringstream words(line);
  std::string name;
  words >> token >> name;
  for (const Handler& handler : handlers) {
    if (name == protocol::row(handler.command).name) return handler.run(r, words);
  }
  throw Failure("protocol", "unknown command " + name);
}

// Lines from the supervisor, with as few calls of the system as can be: what a candidate could make faster here would
// seem to be its own.
class Lines {
 public:
  // False at the end.
  bool next(std::string& line) {
    std::size_t end = text_.find('\n');
    for (; end == std::string::npos; end = text_.find('\n')) {
      std::array<char, 4096> more{};
      ssize_t n = read(protocol::commands_fd, more.data(), more.size());
      if (n <= 0) return false;
      text_.append(more.data(), static_cast<std::size_t>(n));
    }
    line.assign(text_, 0, end);
    text_.erase(0, end + 1);
    return true;
  }

 private:
  std::string text_;
};

}  // namespace
}  // namespace explog

int explog_main(int, char**) {
  explog::Runner runner;
  explog::Lines lines;
  for (std::string line; lines.next(line);) {
    try {
      explog::obey(runner, line);
    } catch (const explog::Failure& f) {
      explog::reply("\"ok\":false,\"reason\":" + explog::quote(f.reason) +
                    ",\"detail\":" + explog::quote(f.what()));
    } catch (const std::exception& e) {
      explog::reply("\"ok\":false,\"reason\":\"protocol\",\"detail\":" + explog::quote(e.what()));
    }
  }
  // Nothing of the candidate's runs any more: no destructors, no exit handlers.
  _exit(0);
}
