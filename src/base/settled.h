// A figure that comes to rest.
#pragma once
#include <chrono>
#include <thread>

namespace explog {

// Calls `read` until it gives the same twice, 20 us or more apart, or `patience` is over; what it gave last.
template <class Read>
auto settled(Read&& read, std::chrono::milliseconds patience) {
  auto end = std::chrono::steady_clock::now() + patience;
  for (auto now = read();;) {
    std::this_thread::sleep_for(std::chrono::microseconds(20));
    auto later = read();
    if (later == now || std::chrono::steady_clock::now() >= end) return later;
    now = later;
  }
}

}  // namespace explog
