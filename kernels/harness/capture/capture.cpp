// Capture: calls a candidate as its author meant, and writes down what it asked of the device.
//
//   capture OUT LIBRARY [direct=COUNT,SEED] [inputs=SEED,POISON] SHAPE [next SHAPE]...
//   capture OUT - [inputs=SEED,POISON] SHAPE
//   SHAPE: DIM=VALUE... ARGUMENT...     as in the runner's command `shape`
//
// Of shape K, OUT.K.0 is the plan of a call with other buffers than the call before, OUT.K.1 of the next with the
// first buffers again, OUT.K.2 of one more with the same (schema/formats/plan.md); OUT.error says why there are none.
// With `inputs`, OUT.K.left holds what two calls with these inputs and nothing recorded left in their outputs, as a replay
// counts it. With - libraries are named on descriptor 3, a line each: of library K, OUT.K.0 and so on are the plans, and a line
// on descriptor 4 says `K captured` or, after K, why not. With `direct`, OUT.direct holds the output's hash and the times of COUNT cold calls at the last shape by this
// process, a line each. Nothing that comes from here is believed: the candidate runs in this process.
#include <cuda.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <thread>

#include "../plan_writer.h"
#include "../runner/buffers.h"
#include "../runner/entry.h"
#include "../runner/loaded.h"
#include "../runner/sandbox.h"
#include "hash.h"
#include "watch.h"

namespace explog::capture {
namespace {

constexpr int sets = 2;
constexpr const char* named_later = "-";
constexpr auto straggling = std::chrono::milliseconds(2);  // what begins so long after the return is late

struct Direct {
  int count = 0;
  std::uint64_t seed = 0;
};

struct Words {
  std::string out, library;
  Direct direct;
  struct Inputs {
    unsigned long long seed = 0, poison = 0;
  };
  std::optional<Inputs> inputs;
  std::vector<Shape> shapes = {{}};
};

Words parse(int count, char** words) {
  if (count < 4)
    throw Failure(
        "protocol",
        "usage: capture OUT LIBRARY|- [direct=COUNT,SEED] [inputs=SEED,POISON] SHAPE [next SHAPE]...");
  Words w;
  w.out = words[1];
  w.library = words[2];
  for (int i = 3; i < count; ++i) {
    unsigned long long seed = 0;
    Words::Inputs inputs;
    if (std::sscanf(words[i], "direct=%d,%llu", &w.direct.count, &seed) == 2) {
      w.direct.seed = seed;
    } else if (std::sscanf(words[i], "inputs=%llu,%llu", &inputs.seed, &inputs.poison) == 2) {
      w.inputs = inputs;
    } else if (words[i] == std::string("next")) {
      w.shapes.emplace_back();
    } else {
      w.shapes.back().add(words[i]);
    }
  }
  return w;
}

class Process {
 public:
  explicit Process(Words words) : words_(std::move(words)), heard_(std::make_unique<Heard>()) {}

  void run() {
    auto quiet = std::make_unique<Quiet>();
    std::string why;
    if (!listen(*heard_, why)) throw Failure("no_cupti", why);
    std::cout << device::start() << "\n";
    make_buffers(words_.shapes[0]);
    std::cout << "sandbox: " << enter_sandbox(true) << std::endl;
    quiet.reset();
    if (words_.library == named_later) return capture_named();
    candidate_ = load_file(words_.library);
    for (std::size_t i = 0; i < words_.shapes.size(); ++i) {
      if (i > 0) change_buffers(words_.shapes[i]);
      capture_shape("." + std::to_string(i));
    }
    Quiet rest;
    stop_listening();
    if (words_.direct.count > 0) direct();
  }

 private:
  void make_buffers(const Shape& shape) {
    buffers_ = std::make_unique<Buffers>(shape, protocol::guard_bytes, sets);
    for (int set = 0; set < sets; ++set) add_set(set);
    device::synchronize();
  }

  void change_buffers(const Shape& shape) {
    candidate_->forget();  // heard: it may free what is its own
    Quiet quiet;
    buffers_.reset();
    {
      Held held;
      heard_->addresses.forget_sets();
    }
    make_buffers(shape);
  }

  void capture_shape(const std::string& name) {
    for (int set = sets - 1; set >= 0; --set) warm_up(set);
    const bool alone = words_.library != named_later;  // then its time hardly counts
    if (alone) capture(0);
    write(name + ".0", capture(1));
    write(name + ".1", capture(0));
    if (alone) write(name + ".2", capture(0));
    if (words_.inputs) leave(name);
  }

  // One library after the other, as they are named, for as long as the device works.
  void capture_named() {
    std::FILE* commands = fdopen(protocol::commands_fd, "r");
    char* line = nullptr;
    std::size_t room = 0;
    for (int number = 0; commands && getline(&line, &room, commands) > 0; ++number) {
      std::string path = line;
      std::string answer = capture_library(path.substr(0, path.find('\n')), "." + std::to_string(number));
      std::replace(answer.begin(), answer.end(), '\n', ' ');
      dprintf(protocol::answers_fd, "%d %s\n", number, answer.c_str());
    }
    std::free(line);
  }

  // `captured`, or why not: a library that cannot do its work is no hindrance to the next one.
  std::string capture_library(const std::string& path, const std::string& name) {
    try {
      if (candidate_) candidate_->forget();
      candidate_.reset();
      candidate_ = load_file(path);
      capture_shape(name);
      return "captured";
    } catch (const Failure& f) {
      Held held;
      if (heard_->recording.on()) heard_->recording.end();
      device::synchronize();
      return f.reason + " " + f.what();
    }
  }

  void add_set(int set) {
    std::vector<Range> ranges;
    void** call = buffers_->pointers(set);
    for (std::size_t i = 0; i < buffers_->arguments().size(); ++i) {
      const Argument& a = buffers_->arguments()[i];
      auto base = a.role == Role::scalar ? 0 : reinterpret_cast<std::uint64_t>(*static_cast<void**>(call[i]));
      ranges.push_back({base, a.role == Role::scalar ? 0 : a.bytes});
    }
    Held held;
    heard_->addresses.add_set(std::move(ranges), protocol::guard_bytes);
  }

  void prepare(int set) {
    Quiet quiet;
    buffers_->refill(set, mix(0xCA97, static_cast<std::uint64_t>(++inputs_)));
    device::synchronize();
  }

  void call(int set) { candidate_->function()(candidate_->call(*buffers_, set)); }

  void finish() {
    Quiet quiet;
    candidate_->raise_errors();
    device::synchronize();
  }

  void warm_up(int set) {
    prepare(set);
    heard_->addresses.use_set(static_cast<std::size_t>(set));
    call(set);
    finish();
  }

  plan::Plan capture(int set) {
    prepare(set);
    {
      Held held;
      heard_->addresses.use_set(static_cast<std::size_t>(set));
      heard_->recording.begin(++calls_);
    }
    call(set);
    {
      Held held;
      heard_->recording.returned();
    }
    std::this_thread::sleep_for(straggling);
    plan::Plan p;
    {
      Held held;
      for (const Returned& r : candidate_->returned())
        heard_->recording.result(reinterpret_cast<std::uint64_t>(r.to),
                                 reinterpret_cast<std::uint64_t>(r.from), r.bytes);
      p = heard_->recording.end();
    }
    finish();
    add_facts(p);
    return p;
  }

  void add_facts(plan::Plan& p) const {
    Quiet quiet;
    int major = 0, minor = 0, driver = 0;
    cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0);
    cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0);
    cuDriverGetVersion(&driver);
    p.arch = "sm_" + std::to_string(10 * major + minor);
    p.driver = static_cast<std::uint64_t>(driver);
    for (const Argument& a : buffers_->arguments()) p.arguments.push_back({a.role == Role::scalar, a.bytes});
  }

  void write(const std::string& ending, const plan::Plan& p) const {
    std::ofstream out(words_.out + ending, std::ios::binary);
    out << plan::write(p);
    if (!out.flush()) throw Failure("crash", "cannot write " + words_.out + ending);
  }

  // Twice, to tell a kernel that does not repeat itself from one whose plan says something else.
  void leave(const std::string& name) {
    std::ofstream out(words_.out + name + ".left");
    heard_->addresses.use_set(0);
    for (int i = 0; i < 2; ++i) {
      {
        Quiet quiet;
        buffers_->refill(0, words_.inputs->seed, words_.inputs->poison);
        device::synchronize();
      }
      call(0);
      Quiet quiet;
      candidate_->collect(*buffers_, 0);
      candidate_->raise_errors();
      device::synchronize();
      out << output_hash(buffers_->arguments(), buffers_->pointers(0)) << "\n";
    }
  }

  // Cold calls through the first set, as the replay does them.
  void direct() {
    std::vector<std::uint64_t> hashes;
    device::begin_pass();
    for (int i = 0; i < words_.direct.count; ++i) {
      buffers_->refill(0, mix(words_.direct.seed, static_cast<std::uint64_t>(i)));
      device::flush();
      device::time(candidate_->function(), candidate_->call(*buffers_, 0));
      candidate_->collect(*buffers_, 0);
      candidate_->raise_errors();
      hashes.push_back(output_hash(buffers_->arguments(), buffers_->pointers(0)));
    }
    std::vector<Sample> samples = device::end_pass();
    std::ofstream out(words_.out + ".direct");
    for (std::size_t i = 0; i < samples.size(); ++i)
      out << hashes[i] << " " << samples[i].kernel_ms << " " << samples[i].event_ms << " "
          << samples[i].activities << "\n";
    out << (repeats(hashes) ? "same" : "other") << " bytes again\n";
  }

  // Whether the first inputs give the same bytes once more: float atomics do not.
  bool repeats(const std::vector<std::uint64_t>& hashes) {
    bool same = true;
    for (std::size_t i = 0; i < hashes.size() && i < 3; ++i) {
      buffers_->refill(0, mix(words_.direct.seed, i));
      call(0);
      candidate_->collect(*buffers_, 0);
      device::synchronize();
      same = same && output_hash(buffers_->arguments(), buffers_->pointers(0)) == hashes[i];
    }
    return same;
  }

  Words words_;
  std::unique_ptr<Heard> heard_;
  std::unique_ptr<Buffers> buffers_;
  std::unique_ptr<Loaded> candidate_;
  int inputs_ = 0, calls_ = -1;
};

int fail(const std::string& out, const std::string& reason, const std::string& detail) {
  std::cerr << "capture: " << reason << ": " << detail << std::endl;
  if (!out.empty()) std::ofstream(out + ".error") << reason << " " << detail << "\n";
  return 1;
}

int run(int count, char** words) {
  std::string out = count > 1 ? words[1] : "";
  try {
    Process(parse(count, words)).run();
    return 0;
  } catch (const Failure& f) {
    return fail(out, f.reason, f.what());
  } catch (const std::exception& e) {
    return fail(out, "crash", e.what());
  } catch (...) {
    return fail(out, "crash", "solve() threw something");
  }
}

}  // namespace
}  // namespace explog::capture

int explog_main(int count, char** words) {
  int status = explog::capture::run(count, words);
  std::cout.flush();
  _exit(status);  // no destructors, no exit handlers of the candidate's
}
