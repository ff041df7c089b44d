// How ceilings.cu times: by events, after warming up, the best of a few repetitions.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>

namespace ceilings {

constexpr double warm_s = 20e-3, repetition_s = 5e-3, limit_s = 10;
constexpr int repetitions = 7, most_rounds = 1 << 24;

struct Failure {
  std::string reason;
};

inline void check(cudaError_t error, const char* what) {
  if (error != cudaSuccess) throw Failure{std::string(what) + ": " + cudaGetErrorString(error)};
}

struct Timer {
  cudaEvent_t from = nullptr, to = nullptr;
  bool is_stuck = false;  // a kernel did not end, and nothing more can be measured
};
inline Timer timer;

struct Memory {
  void* data = nullptr;
  explicit Memory(std::size_t bytes) { check(cudaMalloc(&data, bytes), "cudaMalloc"); }
  ~Memory() {
    if (!timer.is_stuck) cudaFree(data);  // it waits for kernels
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  template <class T>
  T* as() const {
    return static_cast<T*>(data);
  }
};

// Polls, so that a kernel that does not end costs its ceiling and not this process.
inline void wait(cudaEvent_t event) {
  auto start = std::chrono::steady_clock::now();
  for (;;) {
    cudaError_t error = cudaEventQuery(event);
    if (error == cudaSuccess) return;
    if (error != cudaErrorNotReady) check(error, "the kernel failed");
    if (std::chrono::steady_clock::now() - start > std::chrono::duration<double>(limit_s)) {
      timer.is_stuck = true;
      throw Failure{"did not end in time"};
    }
  }
}

template <class Launch>
double seconds(const Launch& launch, int rounds) {
  if (timer.is_stuck) throw Failure{"an earlier kernel did not end"};
  check(cudaEventRecord(timer.from), "recording an event");
  launch(rounds);
  check(cudaGetLastError(), "launching");
  check(cudaEventRecord(timer.to), "recording an event");
  wait(timer.to);
  float ms = 0;
  check(cudaEventElapsedTime(&ms, timer.from, timer.to), "reading an event");
  return std::max(ms * 1e-3, 1e-7);
}

// Rounds that last long enough, found while the device warms up.
template <class Launch>
int warm_up(const Launch& launch) {
  int rounds = 1;
  double spent = 0;
  for (int i = 0; i < 200; ++i) {
    double t = seconds(launch, rounds);
    spent += t;
    if (t >= 1.2 * repetition_s || rounds == most_rounds) {
      if (spent >= warm_s) break;
    } else {
      double factor = std::clamp(std::ceil(1.5 * repetition_s / t), 2.0, 16.0);
      rounds = static_cast<int>(std::min<double>(most_rounds, rounds * factor));
    }
  }
  return rounds;
}

// Work a second in the best repetition.
template <class Launch>
double best_rate(const Launch& launch, double work_a_round) {
  int rounds = warm_up(launch);
  double best = 0;
  for (int i = 0; i < repetitions; ++i)
    best = std::max(best, rounds * work_a_round / seconds(launch, rounds));
  return best;
}

}  // namespace ceilings
