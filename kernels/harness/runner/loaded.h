// What an arm of the runner calls: the solve() of a shared object (library.cpp), or the plan of one, in a process that
// holds none of its host code (../replay/replayed.cpp). A runner is built with one of the two.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "buffers.h"
#include "device.h"

namespace explog {

// An array that a call returned, and the output that it is for.
struct Returned {
  void* to = nullptr;
  const void* from = nullptr;
  std::size_t bytes = 0;
};

// Runs code of a candidate's. An exception out of it is the candidate's end, not this process's, and always a crash: its
// class may have the name of Failure, which is all that a handler compares, and say what it likes.
template <class Code>
auto run_guarded(const std::string& name, const Code& code) {
  try {
    return code();
  } catch (const std::exception& e) {
    throw Failure("crash", name + " threw an exception: " + e.what());
  } catch (...) {
    throw Failure("crash", name + " threw something");
  }
}

class Loaded {
 public:
  virtual ~Loaded() = default;
  // What it throws is a Failure of this process's own.
  virtual Call function() const = 0;
  // What function() takes to work on a set of buffers.
  virtual void** call(Buffers& buffers, int set) { return buffers.pointers(set); }
  // Before a call: what it finds beside its arguments. Not waited for.
  virtual void restore(int set) { static_cast<void>(set); }
  // What the last call returned instead of writing it.
  virtual std::vector<Returned> returned() const { return {}; }
  // Copies it to where it belongs, outside of the time of the call. Not waited for.
  virtual void collect(Buffers& buffers, int set) { static_cast<void>(buffers), static_cast<void>(set); }
  // Throws Failure("launch_error") when a call left one.
  virtual void raise_errors() const {}
  // Whether its calls run no code of a candidate's on the host. Then what each of them left is noted as a number, not waited
  // for, at most protocol::most_samples; noted() waits, gives them in their order, and begins anew.
  virtual bool is_plan() const { return false; }
  virtual void note(Buffers& buffers, int set) { static_cast<void>(buffers), static_cast<void>(set); }
  virtual std::vector<std::uint64_t> noted() { return {}; }
  virtual void forget() {}  // the buffers go
};

// Throws Failure("load_error").
std::unique_ptr<Loaded> load_file(const std::string& path);
// Of a file of Python's, in an interpreter (../python/module.cpp); elsewhere it throws (main.cpp).
std::unique_ptr<Loaded> load_module(const std::string& path);
constexpr const char* module_ending = ".python";

}  // namespace explog
