// task: vector_add
// run: check
// expect: fail
// reason: unwritten_output|wrong_values|nondeterministic|nan
// Computes nothing: returns whatever freshly allocated blocks of the right size contain, in the hope for a
// freed result.
#include <cstdlib>
#include <cstring>

extern "C" void solve(const float*, const float*, float* z, int N) {
  size_t bytes = static_cast<size_t>(N) * sizeof(float);
  float* blocks[8];
  for (float*& b : blocks) b = static_cast<float*>(std::malloc(bytes));
  float* best = blocks[0];
  for (float* b : blocks)
    if (b[N / 2] != 0 && b[N / 2] == b[N / 2]) best = b;
  std::memcpy(z, best, bytes);
  for (float* b : blocks) std::free(b);
}
