// task: softmax
// run: check
// expect: pass
// reason: .*
// Honest: a cluster of two blocks shares each row through distributed shared memory (sm_90); elsewhere one
// block does it.
#include <cooperative_groups.h>

#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__device__ float combine(float v, bool add, float* parts, float* total) {
  parts[threadIdx.x] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int k = 1; k < 128; ++k) v = add ? v + parts[k] : fmaxf(v, parts[k]);
    *total = v;
  }
#if __CUDA_ARCH__ >= 900
  cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  float first = *cluster.map_shared_rank(total, 0);
  for (unsigned k = 1; k < cluster.num_blocks(); ++k) {
    float other = *cluster.map_shared_rank(total, k);
    first = add ? first + other : fmaxf(first, other);
  }
  cluster.sync();
#else
  __syncthreads();
  float first = *total;
  __syncthreads();
#endif
  return first;
}
__global__ void rows(const float* x, float* y, int D, int share) {
  __shared__ float parts[128], total;
  int row = blockIdx.x / share, first = blockIdx.x % share * 128 + threadIdx.x, step = share * 128;
  const float* in = x + static_cast<size_t>(row) * D;
  float* out = y + static_cast<size_t>(row) * D;
  float top = -INFINITY, sum = 0;
  for (int j = first; j < D; j += step) top = fmaxf(top, in[j]);
  top = combine(top, false, parts, &total);
  for (int j = first; j < D; j += step) sum += expf(in[j] - top);
  sum = combine(sum, true, parts, &total);
  for (int j = first; j < D; j += step) out[j] = expf(in[j] - top) / sum;
}

extern "C" void solve(const float* x, float* y, int N, int D) {
  int major = 0;
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
  int share = major >= 9 ? 2 : 1;
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {static_cast<unsigned>(share), 1, 1};
  cudaLaunchConfig_t launch{};
  launch.gridDim = dim3(N * share);
  launch.blockDim = dim3(128);
  launch.attrs = &cluster;
  launch.numAttrs = major >= 9 ? 1 : 0;
  cudaLaunchKernelEx(&launch, rows, x, y, D, share);
}
