// A candidate written in Python: this library was loaded into the user's interpreter by runner.py, whose functions it
// calls. A buffer is handed over as an address; what is made of it there is made once a set, before it is timed.
#include <map>
#include <sstream>
#include <vector>

#include "../runner/loaded.h"

namespace explog {
namespace {

// Of runner.py. Each returns 0, or 1 after explog_python_failed() was told why.
struct PythonCalls {
  int (*load)(int module, const char* path);
  int (*bind)(int module, int set, const char* shape_json);
  int (*call)(int module, int set);
  int (*forget)(int module);
};
PythonCalls python;
std::string last_failure = "Python said nothing";
std::vector<Returned> results;  // of the last call

// What a failure is called follows from what was asked: an exception of the candidate's has no say in it.
template <class Question>
void succeed(const char* reason, const Question& question) {
  if (run_guarded("Python", question) != 0) throw Failure(reason, last_failure);
}

std::string number(double value) {
  std::ostringstream out;
  out.precision(17);
  out << value;
  return out.str();
}

std::string list(const std::vector<std::uint64_t>& numbers) {
  std::string text;
  for (std::uint64_t n : numbers) text += (text.empty() ? "" : ",") + std::to_string(n);
  return "[" + text + "]";
}

// {"dims":{"N":64},"arguments":[{"address":4096,"extents":[64,8]},{"value":64}]}
std::string describe(Buffers& buffers, int set) {
  std::string dims, arguments;
  for (const auto& [name, value] : buffers.shape().dims)
    dims += (dims.empty() ? "\"" : ",\"") + name + "\":" + std::to_string(value);
  void** pointers = buffers.pointers(set);
  for (std::size_t i = 0; i < buffers.arguments().size(); ++i) {
    const Argument& a = buffers.arguments()[i];
    arguments += i == 0 ? "" : ",";
    if (a.role == Role::scalar) {
      arguments += "{\"value\":" + number(a.scalar) + "}";
      continue;
    }
    auto address = reinterpret_cast<std::uintptr_t>(*static_cast<void**>(pointers[i]));
    arguments += "{\"address\":" + std::to_string(address) + ",\"extents\":" + list(a.extents) + "}";
  }
  return "{\"dims\":{" + dims + "},\"arguments\":[" + arguments + "]}";
}

// What a call is told: which module, on which buffers.
struct Bound {
  int module, set;
};

class Module : public Loaded {
 public:
  explicit Module(const std::string& path) {
    static int modules = 0;
    if (!python.load) throw Failure("load_error", "no interpreter has said how it is called");
    number_ = modules++;
    succeed("load_error", [&] { return python.load(number_, path.c_str()); });
  }
  Call function() const override {
    return [](void** call) {
      const Bound& bound = *reinterpret_cast<const Bound*>(call);
      results.clear();
      succeed("crash", [&] { return python.call(bound.module, bound.set); });
    };
  }
  void** call(Buffers& buffers, int set) override {
    auto known = bound_.find(set);
    if (known == bound_.end()) {
      std::string shape = describe(buffers, set);
      succeed("load_error", [&] { return python.bind(number_, set, shape.c_str()); });
      known = bound_.emplace(set, Bound{number_, set}).first;
    }
    return reinterpret_cast<void**>(&known->second);
  }
  std::vector<Returned> returned() const override { return results; }
  void collect(Buffers& buffers, int set) override {
    for (const Returned& r : results) {
      if (!buffers.is_output(set, r.to, r.bytes) || buffers.holds(set, r.from, r.bytes))
        throw Failure("crash", "what it returned is no array of its own for an output");
      device::copy(r.to, r.from, r.bytes);
    }
  }
  void forget() override {
    results.clear();
    bound_.clear();
    python.forget(number_);
  }

 private:
  int number_ = 0;
  std::map<int, Bound> bound_;  // by set: those that Python has made arrays of
};

}  // namespace

std::unique_ptr<Loaded> load_module(const std::string& path) { return std::make_unique<Module>(path); }

}  // namespace explog

extern "C" void explog_python(const explog::PythonCalls* calls) { explog::python = *calls; }

// During a call: `from` holds what belongs to the output at `to`. It stays until the next call.
extern "C" void explog_python_returned(void* to, const void* from, std::size_t bytes) {
  explog::results.push_back({to, from, bytes});
}

extern "C" void explog_python_failed(const char* text) { explog::last_failure = text; }
