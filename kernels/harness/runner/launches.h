// Kernel launches as the driver knows them, and the figures that Nsight Compute derives from them without any
// counter. The arithmetic needs no CUDA; Recorder does, and sees nothing without its headers.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace explog::profiler {

// Limits of one multiprocessor, but for `registers_per_block`.
struct Chip {
  int major = 0, multiprocessors = 0, warp_size = 0;
  int blocks = 0, threads = 0, registers = 0, registers_per_block = 0;
  // Bytes: what a multiprocessor can give to shared memory, and what the driver adds to each block. Nsight
  // Compute's limit by shared memory counts the part that the driver chose for the launch instead; the driver
  // does not tell, so ours is the larger where shared memory is not the scarcest resource.
  int shared_memory = 0, reserved_shared_memory = 0;
};

struct Shape {
  std::string kernel;  // mangled
  double grid = 0;     // blocks
  int block = 0;       // threads
  int dynamic_shared_memory = 0, cluster = 0;
  bool has_attributes = false;  // the next two are known
  int registers = 0, static_shared_memory = 0;
  int active_blocks = 0;  // a multiprocessor, as the driver says; 0: unknown
};

// How many blocks fit on a multiprocessor by each of its resources.
struct Occupancy {
  int blocks = 0, registers = 0, shared_memory = 0, warps = 0;
  int least() const;
};
Occupancy occupancy(const Chip& chip, const Shape& shape);

// launch__* and the theoretical occupancy, under Nsight Compute's names.
std::vector<std::pair<std::string, double>> facts(const Chip& chip, const Shape& shape);

// Sees the kernel launches of this process while it is on. One can listen at a time, in this process or in a
// tool that holds it.
class Recorder {
 public:
  explicit Recorder(void* cupti);  // the library
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  void begin();              // forgets the launches and listens
  std::vector<Shape> end();  // what came since; empty when no one could listen
  bool listening() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The device of the current context; false when the driver does not say.
bool read_chip(Chip& chip);

}  // namespace explog::profiler
