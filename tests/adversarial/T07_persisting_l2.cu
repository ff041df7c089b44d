// task: softmax
// run: bench
// expect: fail|cheat
// reason: persisting_l2
// Right; sets as much of the L2 cache aside as the device allows and marks its input as persisting, so that a
// flush before the next call does not evict it.
#include <algorithm>

#include <cuda_runtime.h>

__device__ float combine(float v, bool add) {
  __shared__ float parts[256];
  __syncthreads();
  parts[threadIdx.x] = v;
  for (int width = 128; width > 0; width /= 2) {
    __syncthreads();
    float other = threadIdx.x < width ? parts[threadIdx.x + width] : 0;
    if (threadIdx.x < width)
      parts[threadIdx.x] = add ? parts[threadIdx.x] + other : fmaxf(parts[threadIdx.x], other);
  }
  __syncthreads();
  return parts[0];
}
__global__ void softmax_rows(const float* x, float* y, int D) {
  const float* in = x + static_cast<size_t>(blockIdx.x) * D;
  float* out = y + static_cast<size_t>(blockIdx.x) * D;
  float top = -INFINITY, sum = 0;
  for (int j = threadIdx.x; j < D; j += 256) top = fmaxf(top, in[j]);
  top = combine(top, false);
  for (int j = threadIdx.x; j < D; j += 256) sum += expf(in[j] - top);
  sum = combine(sum, true);
  for (int j = threadIdx.x; j < D; j += 256) out[j] = expf(in[j] - top) / sum;
}

extern "C" void solve(const float* x, float* y, int N, int D) {
  int most = 0, window = 0;
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxPersistingL2CacheSize, 0);
  cudaDeviceGetAttribute(&window, cudaDevAttrMaxAccessPolicyWindowSize, 0);
  cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, most);
  size_t bytes = static_cast<size_t>(N) * D * 4;
  cudaLaunchAttribute policy{};
  policy.id = cudaLaunchAttributeAccessPolicyWindow;
  policy.val.accessPolicyWindow.base_ptr = const_cast<float*>(x);
  policy.val.accessPolicyWindow.num_bytes = std::min<size_t>(bytes, window);
  policy.val.accessPolicyWindow.hitRatio =
      std::min(1.0f, static_cast<float>(most) / static_cast<float>(bytes));
  policy.val.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  policy.val.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  cudaLaunchConfig_t launch{};
  launch.gridDim = dim3(N);
  launch.blockDim = dim3(256);
  launch.attrs = &policy;
  launch.numAttrs = 1;
  cudaLaunchKernelEx(&launch, softmax_rows, x, y, D);
}
