// task: reduction
// run: bench
// expect: pass
// reason: .*
// runner: in_process
// Honest, and no replay: reads partial sums back and adds the last of them on the host.
#include <cuda_runtime.h>

#include <vector>

__global__ void partial_sums(const float* x, float* sums, int N) {
  __shared__ double part[256];
  double sum = 0;
  for (long long i = blockIdx.x * 256ll + threadIdx.x; i < N; i += 256ll * gridDim.x) sum += x[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = static_cast<float>(part[0]);
}

extern "C" void solve(const float* x, float* y, float* partial, int N) {
  constexpr int blocks = 256;
  partial_sums<<<blocks, 256>>>(x, partial, N);
  std::vector<float> back(blocks);
  cudaMemcpy(back.data(), partial, blocks * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float s : back) sum += s;
  float result = static_cast<float>(sum);
  cudaMemcpy(y, &result, sizeof result, cudaMemcpyHostToDevice);
}
