// The runner: loads candidate code and calls it on the supervisor's word. One command a line on descriptor 3
// (a token, the command, its words), one JSON object a line on descriptor 4; inputs come in the shared memory
// of descriptor 5, outputs go to that of 6. Nothing here is a verdict: what is right, fast or a cheat is
// decided by the supervisor from the bytes it gets back.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <memory>
#include <sstream>

#include "buffers.h"
#include "device.h"
#include "sandbox.h"

namespace explog {
namespace {

constexpr int commands_fd = 3, results_fd = 4, input_fd = 5, output_fd = 6;

// A shared file, mapped again whenever it has grown.
class Shared {
 public:
  Shared(int fd, int protection) : fd_(fd), protection_(protection) {}
  char* at(std::size_t offset, std::size_t bytes) {
    if (offset + bytes > size_) map();
    if (offset + bytes > size_) throw Failure("protocol", "beyond the shared memory");
    return base_ + offset;
  }

 private:
  void map() {
    struct stat info {};
    if (fstat(fd_, &info) != 0) throw Failure("protocol", "no shared memory");
    if (base_) munmap(base_, size_);
    size_ = static_cast<std::size_t>(info.st_size);
    void* p = mmap(nullptr, size_, protection_, MAP_SHARED, fd_, 0);
    if (p == MAP_FAILED) throw Failure("out_of_memory", "cannot map the shared memory");
    base_ = static_cast<char*>(p);
  }
  int fd_, protection_;
  char* base_ = nullptr;
  std::size_t size_ = 0;
};

struct Arm {
  Call call = nullptr;
  int (*error)(const char**) = nullptr;
};

struct Runner {
  int usual_threads = 0;  // before anything was loaded
  std::array<Arm, 2> arms;
  std::unique_ptr<Buffers> buffers;
  Shared inputs{input_fd, PROT_READ}, outputs{output_fd, PROT_READ | PROT_WRITE};
};

// The kernel's flag PF_EXITING: a thread that was joined may be listed a moment longer.
bool is_exiting(const char* thread) {
  std::array<char, 512> text{};
  int fd = open((std::string("/proc/self/task/") + thread + "/stat").c_str(), O_RDONLY | O_CLOEXEC);
  ssize_t n = fd < 0 ? 0 : read(fd, text.data(), text.size() - 1);
  if (fd >= 0) close(fd);
  const char* after_name = n > 0 ? std::strrchr(text.data(), ')') : nullptr;
  if (!after_name) return true;  // gone already
  unsigned long flags = 0;
  return std::sscanf(after_name + 1, " %*c %*d %*d %*d %*d %*d %lu", &flags) != 1 || (flags & 4) != 0;
}

// Threads that run on, as far as there are more than `usual`. Counted at once: one that ends a moment later
// was at work when solve() returned.
int threads(int usual = 0) {
  std::vector<std::string> names;
  DIR* folder = opendir("/proc/self/task");
  if (!folder) return 0;
  while (dirent* entry = readdir(folder)) {
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  }
  closedir(folder);
  if (static_cast<int>(names.size()) <= usual) return static_cast<int>(names.size());
  auto running = [](const std::string& name) { return !is_exiting(name.c_str()); };
  return static_cast<int>(std::count_if(names.begin(), names.end(), running));
}

std::string quote(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c < ' ' ? ' ' : c;
  }
  return out + "\"";
}

// Drawn by the supervisor for each command and echoed, so that a line from elsewhere is not taken for a
// reply.
std::string token;

void reply(const std::string& members) {
  std::string line = "{\"token\":" + quote(token) + "," + members + "}\n";
  for (std::size_t done = 0; done < line.size();) {
    ssize_t n = write(results_fd, line.data() + done, line.size() - done);
    if (n <= 0) _exit(3);
    done += static_cast<std::size_t>(n);
  }
}

// Errors of launches stay in the runtime that the candidate was linked with.
void raise_errors(const Arm& arm) {
  const char* text = "";
  if (arm.error && arm.error(&text) != 0) throw Failure("launch_error", text);
}

// An exception out of solve() is the candidate's end, not this process's.
void run_guarded(const Arm& arm, void** arguments) {
  if (!arm.call) throw Failure("protocol", "nothing is loaded");
  try {
    arm.call(arguments);
  } catch (const std::exception& e) {
    throw Failure("crash", std::string("solve() threw an exception: ") + e.what());
  } catch (...) {
    throw Failure("crash", "solve() threw something");
  }
}

void load(Runner& r, std::istringstream& words) {
  std::size_t which = 0;
  std::string path;
  words >> which >> path;
  int before = r.usual_threads = threads();
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) throw Failure("load_error", dlerror());
  Arm& arm = r.arms.at(which);
  arm.call = reinterpret_cast<Call>(dlsym(library, "explog_call"));
  arm.error = reinterpret_cast<int (*)(const char**)>(dlsym(library, "explog_error"));
  if (!arm.call) throw Failure("load_error", "no entry point");
  reply("\"ok\":true,\"threads_before\":" + std::to_string(before));
}

void shape(Runner& r, std::istringstream& words) {
  std::size_t guard = 0;
  int sets = 1;
  words >> guard >> sets;
  std::vector<Argument> arguments;
  for (std::string word; words >> word;) arguments.push_back(parse_argument(word));
  r.buffers.reset();
  r.buffers = std::make_unique<Buffers>(std::move(arguments), guard, sets);
  device::synchronize();
  reply("\"ok\":true");
}

void input(Runner& r, std::istringstream& words) {
  int set = 0;
  std::size_t offset = 0, bytes = 0;
  words >> set >> offset >> bytes;
  r.buffers->load(set, r.inputs.at(offset, bytes));
  reply("\"ok\":true");
}

void save(Runner& r, int set, std::size_t offset) {
  r.buffers->save(set, r.outputs.at(offset, r.buffers->saved_bytes()));
}

void call(Runner& r, std::istringstream& words) {
  std::size_t which = 0, offset = 0;
  int set = 0;
  std::uint64_t poison = 0;
  words >> which >> set >> poison >> offset;
  r.buffers->prepare(set, poison);
  device::synchronize();
  run_guarded(r.arms.at(which), r.buffers->pointers(set));
  int running = threads();
  raise_errors(r.arms[which]);
  device::synchronize();
  save(r, set, offset);
  reply("\"ok\":true,\"threads\":" + std::to_string(running));
}

void fetch(Runner& r, std::istringstream& words) {
  int set = 0;
  std::size_t offset = 0;
  words >> set >> offset;
  save(r, set, offset);
  reply("\"ok\":true");
}

std::string list(const std::vector<Sample>& samples, double Sample::*member) {
  std::ostringstream out;
  out.precision(9);
  for (const Sample& s : samples) out << (&s == samples.data() ? "[" : ",") << s.*member;
  return out.str() + "]";
}

// `which` 2 is the empty kernel.
void pass(Runner& r, std::istringstream& words) {
  std::size_t which = 0;
  int count = 0;
  std::uint64_t seed = 0;
  words >> which >> count >> seed;
  Call target = which == 2 ? device::empty() : r.arms.at(which).call;
  device::begin_pass();
  int running = 0;
  for (int i = 0; i < count; ++i) {
    int set = i % r.buffers->sets();
    r.buffers->refill(set, mix(seed, static_cast<std::uint64_t>(i)));
    device::flush();
    device::time(target, r.buffers->pointers(set));
    running = std::max(running, threads(r.usual_threads));
    if (which < 2) raise_errors(r.arms[which]);
  }
  std::vector<Sample> samples = device::end_pass();
  Clocks clocks = device::clocks();
  std::ostringstream out;
  out << "\"ok\":true,\"event_ms\":" << list(samples, &Sample::event_ms)
      << ",\"kernel_ms\":" << list(samples, &Sample::kernel_ms) << ",\"sm_mhz\":" << clocks.sm_mhz
      << ",\"throttle\":" << clocks.throttle << ",\"persisting_l2\":" << clocks.persisting_l2
      << ",\"threads\":" << running;
  reply(out.str());
}

void burst(Runner& r, std::istringstream& words) {
  std::size_t which = 0;
  int count = 0;
  words >> which >> count;
  std::vector<void**> arguments;
  for (int set = 0; set < r.buffers->sets(); ++set) arguments.push_back(r.buffers->pointers(set));
  double ms = device::burst(r.arms.at(which).call, arguments, count);
  raise_errors(r.arms[which]);
  reply("\"ok\":true,\"ms\":" + std::to_string(ms));
}

void probe(Runner& r, std::istringstream& words) {
  std::size_t which = 0;
  words >> which;
  r.buffers->refill(0, 1);
  bool early = device::returns_early(r.arms.at(which).call, r.buffers->pointers(0));
  reply(std::string("\"ok\":true,\"returns_early\":") + (early ? "true" : "false"));
}

void profile(Runner& r, std::istringstream& words) {
  std::size_t which = 0;
  words >> which;
  std::vector<std::string> metrics;
  for (std::string word; words >> word;) metrics.push_back(word);
  std::uint64_t seed = 1;
  auto prepare = [&] {
    r.buffers->refill(0, seed++);
    device::synchronize();
  };
  auto work = [&] {
    run_guarded(r.arms.at(which), r.buffers->pointers(0));
    device::synchronize();
  };
  std::string members = device::profile(metrics, prepare, work);
  raise_errors(r.arms[which]);
  reply("\"ok\":true," + members);
}

void hello() {
  std::string facts = device::start();
  std::string sandbox = enter_sandbox();
  reply("\"ok\":true,\"sandbox\":" + quote(sandbox) + "," + facts);
}

void obey(Runner& r, const std::string& line) {
  std::istringstream words(line);
  std::string command;
  words >> token >> command;
  if (command == "hello") return hello();
  if (command == "load") return load(r, words);
  if (command == "shape") return shape(r, words);
  if (command == "input") return input(r, words);
  if (command == "call") return call(r, words);
  if (command == "fetch") return fetch(r, words);
  if (command == "pass") return pass(r, words);
  if (command == "burst") return burst(r, words);
  if (command == "probe") return probe(r, words);
  if (command == "profile") return profile(r, words);
  throw Failure("protocol", "unknown command " + command);
}

// One line from the supervisor; false at the end.
bool read_line(std::string& line) {
  line.clear();
  for (char c = 0; read(commands_fd, &c, 1) == 1;) {
    if (c == '\n') return true;
    line += c;
  }
  return false;
}

}  // namespace
}  // namespace explog

int main() {
  explog::Runner runner;
  for (std::string line; explog::read_line(line);) {
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
