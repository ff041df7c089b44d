// The device code in a shared object that our own compilation made.
#pragma once
#include <set>
#include <string>

namespace explog::bench {

// SHA-256 in hex of each cubin in it, those among the data of a linked object too, by the cuobjdump beside `nvcc`; empty where
// that is missing or finds none.
std::set<std::string> device_images(const std::string& nvcc, const std::string& library);

}  // namespace explog::bench
