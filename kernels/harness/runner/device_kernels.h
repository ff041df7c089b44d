// Launches of the harness's own kernels on the default stream, not waited for.
#pragma once
#include <cstddef>
#include <cstdint>

#include "harness/generate.h"

namespace explog::device::kernels {

void poison(int blocks, std::uint64_t* words, std::uint64_t count,
            std::uint64_t seed);  // `count` 64-bit words
void fill(int blocks, void* data, const FillOrder& order);
// Write and read a region of memory, `bytes` a multiple of 16.
void write(int blocks, void* region, std::size_t bytes, unsigned value);
void read(int blocks, const void* region, std::size_t bytes, unsigned* sink);
// Cycle counter and clock of each multiprocessor, two words each, to `stamps`.
void stamp(unsigned long long* stamps, int slots);
void spin(unsigned long long ns);  // keeps the device busy
void empty();
void mark();  // behind a timed call: what follows it is not the call's

}  // namespace explog::device::kernels
