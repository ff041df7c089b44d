#include "intake/source_work.h"

#include <doctest/doctest.h>

using namespace explog::intake;

TEST_CASE("neighbouring threads a row apart are seen, whatever their index is called") {
  CHECK(strided_access("int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y;"
                       "sum += A[static_cast<size_t>(i) * K + k] * B[k * N + j];") ==
        "A[static_cast<size_t>(i) * K + k]");
  CHECK(
      strided_access(
          "const int tid = threadIdx.x; int mine = blockIdx.x * 128 + tid; y[(b * T + mine) * C + c] = v;") ==
      "y[(b * T + mine) * C + c]");
  CHECK(strided_access("for (int r = threadIdx.x + blockIdx.x * blockDim.x; r < R; r += n) {"
                       "const float* p = a + (size_t)r * C; s += p[c]; }") == "a + (size_t)r * C");
  CHECK(strided_access("size_t e = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;"
                       "size_t i = e / N, j = e % N; y[j * M + i] = x[e];") == "y[j * M + i]");
  CHECK(strided_access("v = x[threadIdx.x * pitch + n];") == "x[threadIdx.x * pitch + n]");
}

TEST_CASE("threads that read neighbours, a few elements each or shared memory are not a row apart") {
  for (const char* code : {
           "int i = blockIdx.y * 8 + threadIdx.y, j = blockIdx.x * 32 + threadIdx.x; s += A[i * K + k] * B[k "
           "* N + j];",
           "int row = threadIdx.x / 8, q = threadIdx.x % 8; v = A[row * K + q * 4];",
           "int t = threadIdx.x; x[t * 4 + 1] = 0; x[t * ITEMS + 1] = 0; x[t * VEC_SIZE] = 0;",
           "__shared__ float tile[32 * 33]; int t = threadIdx.x; tile[t * 33 + n] = x[t];",
           "extern __shared__ float all[]; float* keys = &all[64]; int t = threadIdx.x; s += keys[t * d + "
           "c];",
           // the name means something else where it is used
           "int k = k0 + threadIdx.x; a = A[i * K + k]; k = k0 + threadIdx.y; b = B[k * N + j];",
           "int i = threadIdx.x; y[i] = 1; } void host() { for (int i = 0; i < M; ++i) z[i * N + j] = 0;",
           "for (int i = 0; i < M; ++i) z[i * N + j] = 0;",
       }) {
    CAPTURE(code);
    CHECK(strided_access(code).empty());
  }
}
