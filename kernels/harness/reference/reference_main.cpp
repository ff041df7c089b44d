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
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "explog_reference.h"
#include "harness/protocol.h"

namespace explog {

namespace {

struct Array {
  std::string role, type;
  std::size_t count = 0;
  std::vector<real> values;            // inputs widened, or results
  std::vector<std::int64_t> integers;  // the same of integer types
  std::vector<double> magnitudes;
  bool is_float() const { return type[0] == 'f' || type[0] == 'b'; }
  bool is_output() const { return role == "out" || role == "inout"; }
  bool is_input() const { return role == "in" || role == "inout"; }
};

template <class T>
using Named = std::vector<std::pair<std::string, T>>;  // in the order of the task's arguments

struct State {
  Named<double> scalars;
  Named<Array> inputs, outputs;
};

std::size_t type_bytes(const std::string& type) {
  return type == "u8" ? 1 : type == "f16" || type == "bf16" ? 2 : type == "f32" || type == "i32" ? 4 : 8;
}

double half_to_double(std::uint16_t bits) {
  int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  double v = exponent == 31  ? (mantissa ? NAN : INFINITY)
             : exponent == 0 ? std::ldexp(mantissa, -24)
                             : std::ldexp(mantissa | 1024, exponent - 25);
  return bits >> 15 ? -v : v;
}

template <class T>
T read_as(const char* p, std::size_t i) {
  T v;
  std::memcpy(&v, p + i * sizeof(T), sizeof(T));
  return v;
}

double widened(const std::string& type, const char* p, std::size_t i) {
  if (type == "f32") return read_as<float>(p, i);
  if (type == "f64") return read_as<double>(p, i);
  if (type == "f16") return half_to_double(read_as<std::uint16_t>(p, i));
  std::uint32_t bits = static_cast<std::uint32_t>(read_as<std::uint16_t>(p, i)) << 16;
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}

std::int64_t integer(const std::string& type, const char* p, std::size_t i) {
  if (type == "i32") return read_as<std::int32_t>(p, i);
  if (type == "u8") return read_as<std::uint8_t>(p, i);
  return read_as<std::int64_t>(p, i);
}

// [0, n) split over the machine's processors.
template <class F>
void parallel(std::size_t n, F&& body) {
  std::size_t workers = std::min<std::size_t>(std::max(1u, std::thread::hardware_concurrency()), n);
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

void read_input(Array& a, const char* from) {
  if (a.is_float()) {
    a.values.resize(a.count);
    parallel(a.count, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) a.values[i] = static_cast<real>(widened(a.type, from, i));
    });
  } else {
    a.integers.resize(a.count);
    for (std::size_t i = 0; i < a.count; ++i) a.integers[i] = integer(a.type, from, i);
  }
}

void make_output(Array& a) {
  if (a.is_float())
    a.values.assign(a.count, real(0));
  else
    a.integers.assign(a.count, 0);
  a.magnitudes.assign(a.count, 0);
}

char* write_output(const Array& a, char* to) {
  auto* values = reinterpret_cast<double*>(to);
  parallel(a.count, [&](std::size_t begin, std::size_t end) {
    if (a.is_float()) {
      for (std::size_t i = begin; i < end; ++i) values[i] = static_cast<double>(a.values[i]);
    } else {
      std::memcpy(values + begin, a.integers.data() + begin, (end - begin) * 8);
    }
    std::memcpy(values + a.count + begin, a.magnitudes.data() + begin, (end - begin) * 8);
  });
  return to + a.count * 16;
}

// The whole of a shared file, mapped while the object lives.
class Mapping {
 public:
  Mapping(int fd, int protection) {
    struct stat info {};
    if (fstat(fd, &info) != 0 || info.st_size == 0) throw std::runtime_error("no shared memory");
    size_ = static_cast<std::size_t>(info.st_size);
    data_ = mmap(nullptr, size_, protection, MAP_SHARED, fd, 0);
    if (data_ == MAP_FAILED) throw std::runtime_error("cannot map the shared memory");
  }
  ~Mapping() { munmap(data_, size_); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  char* at(std::size_t offset) const { return static_cast<char*>(data_) + offset; }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

Array parse_array(const std::string& word, std::string& name) {
  std::istringstream parts(word);
  Array a;
  std::string count;
  std::getline(parts, name, ',');
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

void run_case(std::istringstream& words) {
  std::size_t rows = 0, input_offset = 0, output_offset = 0;
  words >> rows >> input_offset >> output_offset;
  State state;
  Mapping inputs(protocol::inputs_fd, PROT_READ), outputs(protocol::outputs_fd, PROT_READ | PROT_WRITE);
  const char* from = inputs.at(input_offset);
  for (std::string word, name; words >> word;) {
    std::size_t equals = word.find('=');
    if (equals != std::string::npos) {
      state.scalars.emplace_back(word.substr(0, equals), std::stod(word.substr(equals + 1)));
      continue;
    }
    Array a = parse_array(word, name);
    if (a.is_output()) make_output(state.outputs.emplace_back(name, a).second);
    if (!a.is_input()) continue;
    read_input(a, from);
    from += protocol::padded(a.count * type_bytes(a.type));
    state.inputs.emplace_back(name, std::move(a));
  }
  Problem problem;
  ProblemAccess::set(problem, &state);
  parallel(rows, [&](std::size_t begin, std::size_t end) {
    reference(problem, static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end));
  });
  char* to = outputs.at(output_offset);
  for (auto& [name, array] : state.outputs) to = write_output(array, to);
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
const real* Problem::in(const char* name) const { return find(of(state_).inputs, name).values.data(); }
const std::int64_t* Problem::in_int(const char* name) const {
  return find(of(state_).inputs, name).integers.data();
}
real* Problem::out(const char* name) { return find(of(state_).outputs, name).values.data(); }
std::int64_t* Problem::out_int(const char* name) { return find(of(state_).outputs, name).integers.data(); }
double* Problem::magnitude(const char* name) { return find(of(state_).outputs, name).magnitudes.data(); }

}  // namespace explog

int main() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Large arrays stay with the process from case to case: fresh pages would cost more than the arithmetic.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
  for (std::string line; explog::read_line(line);) {
    std::istringstream words(line);
    std::string token, command, reply = "\"ok\":true";
    words >> token >> command;
    try {
      if (command != explog::protocol::reference_command)
        throw std::runtime_error("unknown command " + command);
      explog::run_case(words);
    } catch (const std::exception& e) {
      reply = "\"ok\":false,\"reason\":\"reference\",\"detail\":\"" + std::string(e.what()) + "\"";
    }
    dprintf(explog::protocol::answers_fd, "{\"token\":\"%s\",%s}\n", token.c_str(), reply.c_str());
  }
}
