// task: vector_add
// run: bench
// expect: pass
// reason: .*
// Honest: its kernel finds all buffers in a table in the device's memory, one for each set of buffers, which is filled at the
// first call with these.
#include <map>
#include <tuple>

#include <cuda_runtime.h>

struct Table {
  const float *x, *y;
  float* z;
};

__global__ void add(const Table* table, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) table->z[i] = table->x[i] + table->y[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static std::map<std::tuple<const float*, const float*, float*>, Table*> tables;
  Table*& table = tables[{x, y, z}];
  if (!table) {
    Table now{x, y, z};
    cudaMalloc(&table, sizeof *table);
    cudaMemcpy(table, &now, sizeof now, cudaMemcpyHostToDevice);
  }
  add<<<(N + 255) / 256, 256>>>(table, N);
}
