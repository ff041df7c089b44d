// Computes what is expected, in a process of its own that never loads candidate code. One command a line on
// a pipe:
//   TOKEN case ROWS INPUT_OFFSET OUTPUT_OFFSET NAME=VALUE... NAME,ROLE,TYPE,COUNT,SHAPE...
// For each output the expected values (double, or int64 of integer types) and as many magnitudes (double) go
// to shared memory; then one JSON line says so (schema/formats/runner.md).
#include <malloc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "explog_reference.h"
#include "harness/generate.h"
#include "harness/protocol.h"

namespace explog {

namespace {

constexpr bool is_double = std::is_same_v<real, double>;

struct Input {
  std::unique_ptr<real[]> values;            // widened
  std::unique_ptr<std::int64_t[]> integers;  // of an integer type
};

// In the shared memory: values (double, or int64 of an integer type), then as many magnitudes.
struct Output {
  std::size_t count = 0;
  char* shared = nullptr;
  std::unique_ptr<real[]> rounded;  // where `real` is no double: values on their way there

  auto* integers() const { return reinterpret_cast<std::int64_t*>(shared); }
  auto* doubles() const { return reinterpret_cast<double*>(shared); }
  double* magnitudes() const { return doubles() + count; }
  real* values() const { return is_double ? reinterpret_cast<real*>(shared) : rounded.get(); }
};

template <class T>
using Named = std::vector<std::pair<std::string, T>>;  // in the order of the task's arguments

struct State {
  Named<double> scalars;
  Named<Input> inputs;
  Named<Output> outputs;
};

// As a line names it.
struct Argument {
  std::string name, role, type;
  std::size_t count = 0;
  bool is_float() const { return type[0] == 'f' || type[0] == 'b'; }
  bool is_output() const { return role == "out" || role == "inout"; }
  bool is_input() const { return role == "in" || role == "inout"; }
};

std::size_t type_bytes(const std::string& type) {
  return type == "u8" ? 1 : type == "f16" || type == "bf16" ? 2 : type == "f32" || type == "i32" ? 4 : 8;
}

template <class T>
T read_as(const char* p, std::size_t i) {
  T v;
  std::memcpy(&v, p + i * sizeof(T), sizeof(T));
  return v;
}

constexpr std::size_t elements_a_thread = 16384;  // for fewer, starting it would cost more

// [0, n) split over the machine's processors, `grain` at least for each.
template <class F>
void parallel(std::size_t n, std::size_t grain, F&& body) {
  std::size_t workers =
      std::clamp<std::size_t>(n / grain, 1, std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::thread> threads;
  std::vector<std::exception_ptr> errors(workers);
  for (std::size_t w = 0; w < workers; ++w) {
    threads.emplace_back([&, w] {
      try {
        body(n * w / workers, n * (w + 1) / workers);
      } catch (...) {
        errors[w] = std::current_exception();
      }
    });
  }
  for (std::thread& t : threads) t.join();
  for (std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

// to[i] = read(i)
template <class T, class Read>
std::unique_ptr<T[]> made(std::size_t count, const Read& read) {
  auto to = std::make_unique_for_overwrite<T[]>(count);
  parallel(count, elements_a_thread, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) to[i] = static_cast<T>(read(i));
  });
  return to;
}

Input read_input(const Argument& a, const char* from) {
  auto values = [&](const auto& read) { return Input{made<real>(a.count, read), nullptr}; };
  auto integers = [&](const auto& read) { return Input{nullptr, made<std::int64_t>(a.count, read)}; };
  if (a.type == "f32") return values([=](std::size_t i) { return double(read_as<float>(from, i)); });
  if (a.type == "f64") return values([=](std::size_t i) { return read_as<double>(from, i); });
  if (a.type == "f16")
    return values([=](std::size_t i) { return half_value(read_as<std::uint16_t>(from, i)); });
  if (a.type == "bf16")
    return values([=](std::size_t i) { return bfloat16_value(read_as<std::uint16_t>(from, i)); });
  if (a.type == "i32") return integers([=](std::size_t i) { return read_as<std::int32_t>(from, i); });
  if (a.type == "u8") return integers([=](std::size_t i) { return read_as<std::uint8_t>(from, i); });
  return integers([=](std::size_t i) { return read_as<std::int64_t>(from, i); });
}

// Values and magnitudes begin as 0.
Output make_output(const Argument& a, char* shared) {
  Output o{a.count, shared, nullptr};
  parallel(a.count * 16, 16 * elements_a_thread,
           [&](std::size_t begin, std::size_t end) { std::memset(shared + begin, 0, end - begin); });
  if (!is_double && a.is_float()) o.rounded = made<real>(a.count, [](std::size_t) { return real(0); });
  return o;
}

void write_output(const Output& o) {
  if (!o.rounded) return;
  parallel(o.count, elements_a_thread, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) o.doubles()[i] = static_cast<double>(o.values()[i]);
  });
}

// The whole of a shared file, which may have grown from case to case. It stays mapped: mapping its pages anew would cost more
// than the arithmetic.
class Mapping {
 public:
  Mapping(int fd, int protection) : fd_(fd), protection_(protection) {}
  char* at(std::size_t offset) {
    struct stat info {};
    if (fstat(fd_, &info) != 0 || info.st_size == 0) throw std::runtime_error("no shared memory");
    if (auto size = static_cast<std::size_t>(info.st_size); size != size_) map(size);
    return static_cast<char*>(data_) + offset;
  }

 private:
  void map(std::size_t size) {
    if (size_ > 0) munmap(data_, size_);
    size_ = 0;
    data_ = mmap(nullptr, size, protection_, MAP_SHARED, fd_, 0);
    if (data_ == MAP_FAILED) throw std::runtime_error("cannot map the shared memory");
    size_ = size;
  }
  int fd_, protection_;
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

Argument parse_argument(const std::string& word) {
  std::istringstream parts(word);
  Argument a;
  std::string count;
  std::getline(parts, a.name, ',');
  std::getline(parts, a.role, ',');
  std::getline(parts, a.type, ',');
  std::getline(parts, count, ',');  // its shape follows, which references in C++ know
  a.count = std::stoull(count);
  return a;
}

template <class T>
T& find(Named<T>& list, const char* name) {
  for (auto& [key, value] : list) {
    if (key == name) return value;
  }
  throw std::runtime_error(std::string("reference.cpp asks for what the task does not have: ") + name);
}

}  // namespace

struct ProblemAccess {
  static void set(Problem& p, State* state) { p.state_ = state; }
};

namespace {

void run_case(std::istringstream& words, Mapping& inputs, Mapping& outputs) {
  std::size_t rows = 0, input_offset = 0, output_offset = 0;
  words >> rows >> input_offset >> output_offset;
  State state;
  const char* from = inputs.at(input_offset);
  char* to = outputs.at(output_offset);
  for (std::string word; words >> word;) {
    std::size_t equals = word.find('=');
    if (equals != std::string::npos) {
      state.scalars.emplace_back(word.substr(0, equals), std::stod(word.substr(equals + 1)));
      continue;
    }
    Argument a = parse_argument(word);
    if (a.is_output()) {
      state.outputs.emplace_back(a.name, make_output(a, to));
      to += a.count * 16;
    }
    if (!a.is_input()) continue;
    state.inputs.emplace_back(a.name, read_input(a, from));
    from += protocol::padded(a.count * type_bytes(a.type));
  }
  Problem problem;
  ProblemAccess::set(problem, &state);
  parallel(rows, 1, [&](std::size_t begin, std::size_t end) {
    reference(problem, static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end));
  });
  for (auto& [name, output] : state.outputs) write_output(output);
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

State& of(void* state) { return *static_cast<State*>(state); }
std::int64_t Problem::dim(const char* name) const {
  return static_cast<std::int64_t>(find(of(state_).scalars, name));
}
double Problem::scalar(const char* name) const { return find(of(state_).scalars, name); }
const real* Problem::in(const char* name) const { return find(of(state_).inputs, name).values.get(); }
const std::int64_t* Problem::in_int(const char* name) const {
  return find(of(state_).inputs, name).integers.get();
}
real* Problem::out(const char* name) { return find(of(state_).outputs, name).values(); }
std::int64_t* Problem::out_int(const char* name) { return find(of(state_).outputs, name).integers(); }
double* Problem::magnitude(const char* name) { return find(of(state_).outputs, name).magnitudes(); }

}  // namespace explog

int main() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Large arrays stay with the process from case to case: fresh pages would cost more than the arithmetic.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
  explog::Mapping inputs(explog::protocol::inputs_fd, PROT_READ);
  explog::Mapping outputs(explog::protocol::outputs_fd, PROT_READ | PROT_WRITE);
  for (std::string line; explog::read_line(line);) {
    std::istringstream words(line);
    std::string token, command, reply = "\"ok\":true";
    words >> token >> command;
    try {
      if (command != explog::protocol::reference_command)
        throw std::runtime_error("unknown command " + command);
      explog::run_case(words, inputs, outputs);
    } catch (const std::exception& e) {
      reply = "\"ok\":false,\"reason\":\"reference\",\"detail\":\"" + std::string(e.what()) + "\"";
    }
    dprintf(explog::protocol::answers_fd, "{\"token\":\"%s\",%s}\n", token.c_str(), reply.c_str());
  }
}
