// task: vector_add
// run: bench
// expect: pass
// reason: .*
// Honest: reads its inputs through textures of linear memory, which are made at the first call with each buffer and length.
#include <map>
#include <utility>

#include <cuda_runtime.h>

__global__ void add(cudaTextureObject_t x, cudaTextureObject_t y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = tex1Dfetch<float>(x, i) + tex1Dfetch<float>(y, i);
}

cudaTextureObject_t texture_of(const float* data, int N) {
  static std::map<std::pair<const float*, int>, cudaTextureObject_t> made;
  cudaTextureObject_t& texture = made[{data, N}];
  if (texture) return texture;
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = const_cast<float*>(data);
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = N * sizeof(float);
  cudaTextureDesc how{};
  how.readMode = cudaReadModeElementType;
  cudaCreateTextureObject(&texture, &resource, &how, nullptr);
  return texture;
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  add<<<(N + 255) / 256, 256>>>(texture_of(x, N), texture_of(y, N), z, N);
}
