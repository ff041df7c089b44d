// Work over all processors of the machine.
#pragma once
#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

namespace explog {

// Calls body(begin, end) for consecutive parts of [0, n), at least `grain` long, at the same time; returns
// when all are done. The body must not throw.
template <class Body>
void parallel_for(std::size_t n, std::size_t grain, Body&& body) {
  std::size_t processors = std::max(1u, std::thread::hardware_concurrency());
  std::size_t parts = std::clamp<std::size_t>(n / std::max<std::size_t>(grain, 1), 1, processors);
  std::vector<std::jthread> threads;
  for (std::size_t p = 1; p < parts; ++p) {
    threads.emplace_back([&body, n, p, parts] { body(n * p / parts, n * (p + 1) / parts); });
  }
  body(std::size_t{0}, n / parts);
}

}  // namespace explog
