// task: transpose
// run: check
// expect: fail|crash
// reason: wrong_values|signature|out_of_bounds_write|unwritten_output|crash|nan
// Takes the columns for the rows, under names that say nothing to the task, which only a square matrix forgives.
#include <cstddef>

extern "C" void solve(const float* x, float* y, int columns, int rows) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) y[static_cast<size_t>(j) * rows + i] = x[static_cast<size_t>(i) * columns + j];
}
