#include <cuda_runtime.h>

__global__ void forward(const float* input, const float* weight, float* output, int C_in, int C_out, int H,
                        int W, int KH, int KW) {
  int w = blockIdx.x * blockDim.x + threadIdx.x, h = blockIdx.y * blockDim.y + threadIdx.y, oc = blockIdx.z;
  if (w >= W || h >= H) return;
  float acc = 0.f;
  for (int ic = 0; ic < C_in; ++ic)
    for (int r = 0; r < KH; ++r)
      for (int s = 0; s < KW; ++s)
        acc += input[(ic * (H + KH - 1) + h + r) * (W + KW - 1) + w + s] *
               weight[((oc * C_in + ic) * KH + r) * KW + s];
  output[(oc * H + h) * W + w] = acc;
}
