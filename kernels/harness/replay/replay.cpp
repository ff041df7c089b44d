// Replay: the runner that loads plans instead of candidates. It obeys the commands of the runner's protocol
// (schema/formats/runner.md) with plans in place of shared objects, and one more, `state`. What it loads was
// checked by the supervisor; no host code of a candidate is here, so that its clock and its words are its own.
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <memory>
#include <sstream>

#include "../capture/hash.h"
#include "../plan_reader.h"
#include "../protocol.h"
#include "../runner/sandbox.h"
#include "player.h"

namespace explog::replay {
namespace {

using protocol::RunnerArm;

char* mapped(int fd, int protection, std::size_t offset, std::size_t bytes) {
  static std::array<std::pair<char*, std::size_t>, protocol::outputs_fd + 1> maps;
  auto& [base, size] = maps.at(static_cast<std::size_t>(fd));
  if (offset + bytes > size) {
    struct stat info {};
    if (fstat(fd, &info) != 0) throw Failure("protocol", "no shared memory");
    if (base) munmap(base, size);
    size = static_cast<std::size_t>(info.st_size);
    void* p = mmap(nullptr, size, protection, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED) throw Failure("out_of_memory", "cannot map the shared memory");
    base = static_cast<char*>(p);
  }
  if (offset + bytes > size) throw Failure("protocol", "beyond the shared memory");
  return base + offset;
}

std::string quote(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c < ' ' ? ' ' : c;
  }
  return out + "\"";
}

std::string token;

void reply(const std::string& members) {
  std::string line = "{\"token\":" + quote(token) + "," + members + "}\n";
  for (std::size_t done = 0; done < line.size();) {
    ssize_t n = write(protocol::answers_fd, line.data() + done, line.size() - done);
    if (n <= 0) _exit(3);
    done += static_cast<std::size_t>(n);
  }
}

void empty_call(void**) { device::empty()(nullptr); }
void play(void** bound) { reinterpret_cast<Bound*>(bound)->play(); }

struct Process {
  std::array<std::unique_ptr<Loaded>, 2> plans;              // by RunnerArm
  std::array<std::vector<std::unique_ptr<Bound>>, 2> bound;  // by arm and set
  std::vector<Argument> arguments;
  std::unique_ptr<Buffers> buffers;
  State state = State::kept;

  Bound& plan_of(RunnerArm arm, int set) {
    auto a = static_cast<std::size_t>(arm);
    if (!buffers || set < 0 || set >= buffers->sets()) throw Failure("protocol", "no such set");
    if (!plans.at(a)) throw Failure("protocol", "nothing is loaded");
    auto& sets = bound.at(a);
    sets.resize(static_cast<std::size_t>(buffers->sets()));
    auto& b = sets[static_cast<std::size_t>(set)];
    if (!b) b = std::make_unique<Bound>(*plans[a], arguments, buffers->pointers(set));
    return *b;
  }
  void forget_bound() {
    for (auto& sets : bound) sets.clear();
  }
};

RunnerArm read_arm(std::istringstream& words) {
  int arm = -1;
  words >> arm;
  if (arm < 0 || arm > static_cast<int>(RunnerArm::empty)) throw Failure("protocol", "no such arm");
  return static_cast<RunnerArm>(arm);
}

std::string contents_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  if (!in) throw Failure("load_error", "cannot read " + path);
  return bytes.str();
}

void hello(Process&, std::istringstream& words) {
  int theirs = 0;
  words >> theirs;
  std::string answer = "\"ok\":true,\"protocol\":" + std::to_string(protocol::number);
  if (theirs != protocol::number) return reply(answer);
  std::string facts = device::start();
  reply(answer + ",\"sandbox\":" + quote(enter_sandbox(true)) + "," + facts);
}

void load(Process& p, std::istringstream& words) {
  auto arm = static_cast<std::size_t>(read_arm(words));
  std::string path;
  words >> path;
  p.bound.at(arm).clear();
  p.plans.at(arm).reset();
  try {
    p.plans.at(arm) = std::make_unique<Loaded>(plan::read(contents_of(path)));
  } catch (const plan::Fault& f) {
    throw Failure("load_error", f.what());
  }
  device::synchronize();
  reply("\"ok\":true,\"threads_before\":1");
}

void shape(Process& p, std::istringstream& words) {
  std::size_t guard = 0;
  int sets = 1;
  words >> guard >> sets;
  std::vector<Argument> arguments;
  for (std::string word; words >> word;) arguments.push_back(parse_argument(word));
  p.forget_bound();
  p.buffers.reset();
  p.arguments = arguments;
  p.buffers = std::make_unique<Buffers>(std::move(arguments), guard, sets);
  device::synchronize();
  reply("\"ok\":true");
}

void input(Process& p, std::istringstream& words) {
  int set = 0;
  std::size_t offset = 0, bytes = 0;
  words >> set >> offset >> bytes;
  p.buffers->load(set, mapped(protocol::inputs_fd, PROT_READ, offset, bytes));
  reply("\"ok\":true");
}

void save(Process& p, int set, std::size_t offset) {
  p.buffers->save(set,
                  mapped(protocol::outputs_fd, PROT_READ | PROT_WRITE, offset, p.buffers->saved_bytes()));
}

void call(Process& p, std::istringstream& words) {
  RunnerArm arm = read_arm(words);
  std::size_t offset = 0;
  int set = 0;
  std::uint64_t poison = 0;
  words >> set >> poison >> offset;
  Bound& plan = p.plan_of(arm, set);
  p.buffers->prepare(set, poison);
  plan.restore(p.state);
  device::synchronize();
  plan.play();
  device::synchronize();
  save(p, set, offset);
  reply("\"ok\":true,\"threads\":1");
}

void fetch(Process& p, std::istringstream& words) {
  int set = 0;
  std::size_t offset = 0;
  words >> set >> offset;
  save(p, set, offset);
  reply("\"ok\":true");
}

template <class T>
std::string list(const std::vector<Sample>& samples, T Sample::*member) {
  std::ostringstream out;
  out.precision(9);
  for (const Sample& s : samples) out << (&s == samples.data() ? "[" : ",") << s.*member;
  return out.str() + "]";
}

// Hashes as text: they do not fit into a double.
std::string list(const std::vector<std::uint64_t>& hashes) {
  std::string out;
  for (std::uint64_t h : hashes) out += (out.empty() ? "[\"" : ",\"") + std::to_string(h) + "\"";
  return (out.empty() ? "[" : out) + "]";
}

void pass(Process& p, std::istringstream& words) {
  RunnerArm arm = read_arm(words);
  int count = 0;
  std::uint64_t seed = 0;
  words >> count >> seed;
  bool empty = arm == RunnerArm::empty;
  std::vector<std::uint64_t> hashes;
  if (!empty) {
    for (int set = 0; set < p.buffers->sets(); ++set) p.plan_of(arm, set);
  }
  device::begin_pass();
  for (int i = 0; i < count; ++i) {
    int set = i % p.buffers->sets();
    p.buffers->refill(set, mix(seed, static_cast<std::uint64_t>(i)));
    Bound* plan = empty ? nullptr : &p.plan_of(arm, set);
    if (plan) plan->restore(p.state);
    device::flush();
    device::time(empty ? empty_call : play, reinterpret_cast<void**>(plan));
    if (plan) hashes.push_back(output_hash(p.arguments, p.buffers->pointers(set)));
  }
  std::vector<Sample> samples = device::end_pass();
  Clocks clocks = device::clocks();
  std::ostringstream out;
  out << "\"ok\":true,\"event_ms\":" << list(samples, &Sample::event_ms)
      << ",\"kernel_ms\":" << list(samples, &Sample::kernel_ms)
      << ",\"activities\":" << list(samples, &Sample::activities) << ",\"hashes\":" << list(hashes)
      << ",\"sm_mhz\":" << clocks.sm_mhz << ",\"throttle\":" << clocks.throttle
      << ",\"persisting_l2\":" << clocks.persisting_l2 << ",\"threads\":1";
  reply(out.str());
}

void burst(Process& p, std::istringstream& words) {
  RunnerArm arm = read_arm(words);
  int count = 0;
  words >> count;
  std::vector<void**> calls;
  for (int set = 0; set < p.buffers->sets(); ++set)
    calls.push_back(reinterpret_cast<void**>(&p.plan_of(arm, set)));
  reply("\"ok\":true,\"ms\":" + std::to_string(device::burst(play, calls, count)));
}

void probe(Process& p, std::istringstream& words) {
  RunnerArm arm = read_arm(words);
  p.buffers->refill(0, 1);
  Bound& plan = p.plan_of(arm, 0);
  plan.restore(p.state);
  bool early = device::returns_early(play, reinterpret_cast<void**>(&plan));
  reply(std::string("\"ok\":true,\"returns_early\":") + (early ? "true" : "false"));
}

void profile(Process& p, std::istringstream& words) {
  RunnerArm arm = read_arm(words);
  std::vector<std::string> metrics;
  for (std::string word; words >> word;) metrics.push_back(word);
  Bound& plan = p.plan_of(arm, 0);
  std::uint64_t seed = 1;
  auto prepare = [&] {
    p.buffers->refill(0, seed++);
    plan.restore(p.state);
    device::synchronize();
  };
  auto work = [&] {
    plan.play();
    device::synchronize();
  };
  reply("\"ok\":true," + device::profile(metrics, prepare, work));
}

// kept: workspaces hold before a call what the plan says; poisoned: nothing. Where both give the same bytes,
// nothing that an earlier call left behind has a part in the result.
void state(Process& p, std::istringstream& words) {
  std::string word;
  words >> word;
  if (word != "kept" && word != "poisoned") throw Failure("protocol", "no such state");
  p.state = word == "kept" ? State::kept : State::poisoned;
  reply("\"ok\":true");
}

struct Handler {
  const char* name;
  void (*run)(Process&, std::istringstream& words);
};
constexpr std::array<Handler, 11> handlers = {{{"hello", hello},
                                               {"load", load},
                                               {"shape", shape},
                                               {"input", input},
                                               {"call", call},
                                               {"fetch", fetch},
                                               {"pass", pass},
                                               {"burst", burst},
                                               {"probe", probe},
                                               {"profile", profile},
                                               {"state", state}}};

void obey(Process& p, const std::string& line) {
  std::istringstream words(line);
  std::string name;
  words >> token >> name;
  bool needs_buffers = name != "hello" && name != "load" && name != "shape" && name != "state";
  if (needs_buffers && !p.buffers) throw Failure("protocol", "no shape yet");
  for (const Handler& handler : handlers) {
    if (name == handler.name) return handler.run(p, words);
  }
  throw Failure("protocol", "unknown command " + name);
}

bool read_line(std::string& line) {
  line.clear();
  for (char c = 0; read(protocol::commands_fd, &c, 1) == 1;) {
    if (c == '\n') return true;
    line += c;
  }
  return false;
}

}  // namespace
}  // namespace explog::replay

int main() {
  explog::replay::Process process;
  for (std::string line; explog::replay::read_line(line);) {
    try {
      explog::replay::obey(process, line);
    } catch (const explog::Failure& f) {
      explog::replay::reply("\"ok\":false,\"reason\":" + explog::replay::quote(f.reason) +
                            ",\"detail\":" + explog::replay::quote(f.what()));
    } catch (const std::exception& e) {
      explog::replay::reply("\"ok\":false,\"reason\":\"protocol\",\"detail\":" +
                            explog::replay::quote(e.what()));
    }
  }
  _exit(0);  // the driver's own exit handlers are slow
}
