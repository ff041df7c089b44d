#include "model/kernel_type.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "base/text.h"

namespace explog {
namespace {

struct Row {
  const char* type;
  const char* family;
  const char* synonyms;  // separated by blanks
};

constexpr std::array<Row, 43> kernel_types = {{
    {"elementwise", "elementwise", "pointwise map"},
    {"vector_add", "elementwise", "vecadd vectoradd saxpy axpy"},
    {"activation", "elementwise", "relu gelu silu swiglu geglu sigmoid tanh"},
    {"dropout", "elementwise", ""},
    {"copy", "elementwise", "memcpy cast"},
    {"reduction", "reduction", "reduce sum mean mean_reduction max_reduction argmax"},
    {"scan", "scan", "prefix_sum cumsum"},
    {"histogram", "histogram", "bincount"},
    {"transpose", "transpose", "permute"},
    {"normalization", "normalization", "norm normalisation"},
    {"layernorm", "normalization", "layer_norm"},
    {"rmsnorm", "normalization", "rms_norm"},
    {"batchnorm", "normalization", "batch_norm groupnorm group_norm"},
    {"softmax", "softmax", "log_softmax"},
    {"gemm", "gemm",
     "matmul mm sgemm hgemm dgemm matrix_multiplication matrix_multiply linear bmm batched_gemm"},
    {"gemv", "gemm", "matvec"},
    {"grouped_gemm", "gemm", "group_gemm"},
    {"fp8_gemm", "gemm", "w8a8_gemm scaled_mm"},
    {"dual_gemm", "gemm", ""},
    {"conv", "conv", "convolution"},
    {"conv1d", "conv", ""},
    {"conv2d", "conv", "convolution2d"},
    {"conv3d", "conv", ""},
    {"depthwise_conv", "conv", ""},
    {"attention", "attention", "mha fmha sdpa flash_attention multi_head_attention gqa mqa"},
    {"paged_attention", "attention", "decode_attention"},
    {"varlen_attention", "attention", ""},
    {"mla", "attention", "multi_latent_attention"},
    {"stencil", "stencil", "jacobi heat laplacian"},
    {"moe", "moe", "fused_moe mixture_of_experts"},
    {"sort", "sort", "radix_sort topk top_k"},
    {"sparse", "sparse", "sddmm"},
    {"spmm", "sparse", ""},
    {"spmv", "sparse", ""},
    {"gather", "gather", "embedding index_select"},
    {"scatter", "gather", "scatter_add index_add"},
    {"rope", "rope", "rotary rotary_embedding"},
    {"loss", "loss", ""},
    {"cross_entropy", "loss", "ce_loss cross_entropy_loss"},
    {"fft", "fft", ""},
    {"quantize", "elementwise", "quantization dequantize"},
    {"state_space", "scan", "mamba ssm selective_scan"},
    {"other", "other", "unknown misc"},
}};

// Every type and synonym -> its row.
const std::unordered_map<std::string_view, const Row*>& index() {
  static const auto built = [] {
    std::unordered_map<std::string_view, const Row*> rows;
    for (const Row& row : kernel_types) {
      rows.emplace(row.type, &row);
      for (std::string_view synonym : split(row.synonyms, ' ')) {
        if (!synonym.empty()) rows.emplace(synonym, &row);
      }
    }
    return rows;
  }();
  return built;
}

}  // namespace

std::string canonical_kernel_type(std::string_view text) {
  std::string s = lower(trim(text));
  for (char& c : s) {
    bool kept = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '+';
    if (!kept) c = '_';
  }
  s.resize(std::min<size_t>(s.size(), 80));
  auto it = index().find(s);
  return it != index().end() ? it->second->type : s;
}

std::string family_of(std::string_view kernel_type) {
  auto it = index().find(kernel_type);
  return it != index().end() && it->second->type == kernel_type ? it->second->family
                                                                : std::string(kernel_type);
}

std::vector<std::string> known_families() {
  std::vector<std::string> names;
  for (const Row& row : kernel_types) {
    if (std::find(names.begin(), names.end(), row.family) == names.end()) names.emplace_back(row.family);
  }
  return names;
}

std::vector<std::string> known_kernel_types() {
  std::vector<std::string> names;
  for (const Row& row : kernel_types) {
    names.emplace_back(row.type);
    for (std::string_view synonym : split(row.synonyms, ' ')) {
      if (!synonym.empty()) names.emplace_back(synonym);
    }
  }
  return names;
}

bool is_known_kernel_type(std::string_view kernel_type) {
  return std::any_of(kernel_types.begin(), kernel_types.end(),
                     [&](const Row& row) { return kernel_type == row.type; });
}

}  // namespace explog
