// The copy engine: descriptions of row-major matrices, and copies of boxes of them to shared memory, with zeros
// outside of the matrix. A barrier counts the bytes. Needs sm_90.
#pragma once
#include <cuda.h>  // types only: the one driver function is looked up at run time
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstdint>

#include "shared_address.cuh"

__device__ __forceinline__ void load_box(std::uint32_t to, const CUtensorMap* map, std::uint32_t barrier,
                                         int x, int y) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], "
      "[%2];" ::"r"(to),
      "l"(map), "r"(barrier), "r"(x), "r"(y)
      : "memory");
}
__device__ __forceinline__ void load_box(void* to, const CUtensorMap* map, std::uint64_t* barrier, int x,
                                         int y) {
  load_box(shared_address(to), map, shared_address(barrier), x, y);
}

using Encode = decltype(&cuTensorMapEncodeTiled);

// The driver's function, found at run time so that nothing must be linked; null where there is none.
__noinline__ inline Encode find_encode() {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found;
#if CUDART_VERSION >= 12050
  const cudaError_t error =
      cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found);
#else
  const cudaError_t error =
      cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &function, cudaEnableDefault, &found);
#endif
  return error == cudaSuccess && found == cudaDriverEntryPointSuccess ? reinterpret_cast<Encode>(function)
                                                                      : nullptr;
}

// Describes a row-major matrix and the box of it that one copy brings.
__noinline__ inline bool describe(Encode encode, CUtensorMap* map, const float* data, int rows,
                                  int row_length, int box_rows, int box_columns, CUtensorMapSwizzle swizzle) {
  const cuuint64_t size[2] = {static_cast<cuuint64_t>(row_length), static_cast<cuuint64_t>(rows)};
  const cuuint64_t stride[1] = {static_cast<cuuint64_t>(row_length) * 4};
  const cuuint32_t box[2] = {static_cast<cuuint32_t>(box_columns), static_cast<cuuint32_t>(box_rows)};
  const cuuint32_t step[2] = {1, 1};
  return encode(map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, const_cast<float*>(data), size, stride, box, step,
                CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}
// The same for bf16, in boxes of `box_rows` x 64 elements in the 128-byte swizzle.
__noinline__ inline bool make_map(Encode encode, CUtensorMap* map, const __nv_bfloat16* data, int rows,
                                  int columns, int box_rows) {
  const cuuint64_t size[2] = {static_cast<cuuint64_t>(columns), static_cast<cuuint64_t>(rows)};
  const cuuint64_t stride[1] = {static_cast<cuuint64_t>(columns) * sizeof(__nv_bfloat16)};
  const cuuint32_t box[2] = {64, static_cast<cuuint32_t>(box_rows)};
  const cuuint32_t step[2] = {1, 1};
  return encode(map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, const_cast<__nv_bfloat16*>(data), size, stride, box,
                step, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}
