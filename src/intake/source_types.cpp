#include "intake/source_types.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <array>
#include <filesystem>
#include <map>

#include "intake/source_work.h"

namespace explog::intake {
namespace {

// Words in the name of a kernel or a function, or in a comment, that name its type. The longer word of two
// that fit comes first.
struct NameClue {
  const char* type;
  const char* pattern;
};
constexpr auto name_clues = std::to_array<NameClue>({
    {"cross_entropy", "cross_?entropy|ce_loss|nll_loss"},
    {"loss", "kl_?div|\\btvd|_tvd|jsd|mse_loss|huber"},
    {"state_space", "linear_att|gated_delta|\\bgla\\b"},
    {"paged_attention", "paged_att|decode_att|flash_decod"},
    {"attention", "attention|attn|flash_fwd|fmha|mha|sdpa|prefill|decodewith"},
    {"softmax", "softmax"},
    {"rmsnorm", "rms_?(layer_?)?norm"},
    {"layernorm", "layer_?norm|ln_fwd"},
    {"batchnorm", "batch_?norm|group_?norm"},
    {"grouped_gemm", "group(ed)?_?gemm|grouped_matmul"},
    {"gemv", "gemv|mat_?vec|mul_mat_vec"},
    {"conv2d", "conv2d|conv_?fwd|implicit_gemm_conv|convol"},
    {"reduction", "(max|avg)_?pool|\\bpool[123]d"},
    {"reduction", "bias\\w*(back|grad|bwd)|(back\\w*|grad|bwd)_?bias"},
    {"gemm", "gemm|mat(rix)?_?mul|mul_?mat|tri(mat|mul)|\\bmm_kernel|linear_fwd|\\bmm\\b"},
    {"moe", "fused_moe|moe_"},
    {"rope", "\\brope|_rope|rotary"},
    {"activation",
     "swiglu|geglu|silu|gelu|relu|sigmoid|hard_?(swish|shrink|tanh)|softplus|(\\b|_)(mish|celu|selu|elu)(\\b|"
     "_)|(\\b|_)gated"},
    {"histogram", "histogram|bincount|\\bhist"},
    {"scan", "\\bscan|_scan|prefix_sum|cumsum"},
    {"transpose", "transpose|permute"},
    {"stencil", "stencil|jacobi|laplac|heat"},
    {"vector_add", "vec(tor)?_?add|elementwise_add|(\\b|_)add_kernel|\\badd\\b|saxpy|axpy"},
    {"elementwise", "element_?wise|bin_?bcast|\\badamw?(\\b|_)"},
    {"reduction", "reduc|\\bsum|_sum|(row|col(umn)?)_?(sum|mean)|(\\b|_)mean(\\b|_)|\\barg_?(max|min)"},
    {"dropout", "dropout"},
    {"sort", "\\bsort|top_?k|bitonic"},
    {"gather", "gather|get_?rows|embedding|index_select"},
    {"scatter", "scatter"},
    {"spmv", "spmv|csr_mv"},
    {"spmm", "spmm"},
    {"fft", "fft"},
    {"quantize", "quant"},
});

// What the code itself does. `against` withdraws the clue.
struct CodeClue {
  const char* type;
  double weight;
  const char* why;
  const char* pattern;
  const char* against = "";
  const char* also = "";  // the clue holds only where this is there too
};
constexpr const char* heads = R"((?i)\b(head_dim|num_heads|kv_\w+)\b)";
constexpr const char* root = R"((?i)sqrt|rstd|inv_?std)";
constexpr const char* optimizer = R"((?i)running_mean|weight_decay|beta_?1|learning_rate)";
constexpr const char* exponential = R"(\b(__expf|expf?|exp2f?|exp2_approx|ex2)\s*\(|\.exp2?\(|ex2\.approx)";
constexpr auto code_clues = std::to_array<CodeClue>({
    {"attention", 5, "q, k and v stand among its parameters",
     R"((?is)\(([^()]*[\s*,&])?q\w{0,4}\s*[,:][^()]*[\s*,&]k\w{0,4}\s*[,:][^()]*[\s*,&]v\w{0,4}\s*[,:)])"},
    {"softmax", 3, "exponentials below a maximum, divided by their sum",
     R"((?is)((fmaxf?|max|maximum|row_max)\b.*(expf?|exp2f?)\s*\(|\bexp2?f?\s*\([^;\n]*\bmax).*(/=?\s*(\w*(sum|total|denom|l_i|z)\w*|\w+\.sum\b)|inverse|__frcp|1\.0f? */))",
     R"((?i)\b(target|label|sigmoid|logf?\s*\(|wgmma|tl\.dot)\w*)"},
    {"cross_entropy", 5, "targets and a logarithm", R"((?is)\b(target|label)s?\b.*\blog(f|2f?)?\s*\()"},
    {"layernorm", 4, "a mean and eps", R"((?is)\bmean\b.*\beps(ilon)?\b)", optimizer, root},
    {"layernorm", 3, "weight, bias and eps", R"((?is)\bweight\b.*\bbias\b.*\beps(ilon)?\b)", optimizer, root},
    {"rmsnorm", 4, "weight and eps, no mean", R"((?is)\bweight\b.*\beps(ilon)?\b)",
     R"((?i)\b(mean|bias|running_mean)\b|weight_decay|beta_?1)", root},
    {"rmsnorm", 3, "a square root with eps, no bias", R"((?is)\beps(ilon)?\b.*(rsqrt|sqrt))",
     R"((?i)\b(bias|centered|running_mean)\b|weight_decay|beta_?1)"},
    {"rmsnorm", 5, "squares are summed, no mean is taken away", R"(\b(tl|ct)\.sum\(\s*\w+\s*\*\s*\w+)",
     R"((?i)-\s*\w*mean|\bbias\b|running_mean|weight_decay|beta_?1)", root},
    {"elementwise", 5, "a step of an optimiser", R"((?is)\bbeta_?1\b.*\bbeta_?2\b)"},
    {"rope", 5, "cosines and sines",
     R"((?is)\b(cos|cosines?|cos_ptr|freqs?_cos)\b.*\b(sin|sines?|sin_ptr|freqs?_sin)\b)"},
    {"gemm", 4, "matrix instructions",
     R"(\b(wgmma|mma_sync|mma\.sync|tcgen05\.mma|ct\.mma|tl\.dot|cute\.gemm|tiled_mma|mma_ABt?)\b)"},
    {"gemm", 4, "A, B, C and M, N, K stand among its parameters",
     R"((?s)\(([^()]*\b)?[Aa]\w*,[^()]*\b[Bb]\w*,[^()]*\b[Cc]\w*,([^()]*\b)?[Mm]\b[^()]*\b[Nn]\b[^()]*\b[Kk]\b)"},
    {"gemm", 3, "a loop over K adds products",
     R"((?s)\bfor\s*\([^;]*\bk\w*\s*=[^;]*;[^;]*\bK\b.*\+=[^;\n]*\*)"},
    {"gemv", 3, "a loop adds products of a row and a vector",
     R"((?s)\bfor\s*\([^;]*;[^;]*;[^)]*\).*\+=\s*(\(\w+\)\s*|\w+\()?\w+\[[^\]]*\*[^\]]*\][^;\n]*\*\s*(\(\w+\)\s*|\w+\()?\w+\[\w+\])",
     R"(\bK\b|\bexp)"},
    {"conv2d", 5, "channels and a filter's height and width",
     R"((?s)\b(in_?[cC]hannels|out_?[cC]hannels|[cC]_in|[cC]_out|IC|OC)\b.*\b(KH|KW|kh|kw|kernel_[hw]|filter_[hw]|R\b.*\bS)\b)"},
    {"histogram", 5, "atomic additions where the data says",
     R"(atomicAdd\s*\(\s*&?\s*\w+\s*(\[|\+)\s*\w+\s*\[|tl\.histogram)"},
    {"histogram", 5, "bytes counted by atomic additions",
     R"((?s)(unsigned char|uint8_t)\s*\*.*\bint\s*\*.*\batomicAdd)"},
    {"scan", 4, "a running sum",
     R"(__shfl_up_sync|tl\.cumsum|tl\.associative_scan|ct\.cumsum|inclusive_scan|exclusive_scan|\bprefix\b)"},
    {"scan", 4, "elements added from a distance", R"(\w+\[\w+\]\s*\+\s*\w+\[\w+\s*-\s*[a-z]\w*\])"},
    {"transpose", 4, "it writes with indices exchanged",
     R"(\w+\[[^\]\n]*\b(\w+)\s*\*\s*M\b[^\]\n]*\]\s*=\s*\w+\[)", R"(\+=)"},
    {"transpose", 3, "one matrix in, one out, M by N",
     R"((?s)\(\s*const \w+\s*\*[^,()]*,\s*\w+\s*\*[^,()]*,\s*int \s*M\s*,\s*int\s+N\s*[,)])",
     R"(exp|sqrt|\+=)"},
    {"stencil", 4, "neighbours on both sides of an element",
     R"(\[[^\]\n]*\bi\w*\s*-\s*1[^\]\n]*\][^;\n]*\[[^\]\n]*\bi\w*\s*\+\s*1)", R"(\bK\b)"},
    {"conv2d", 4, "neighbours in two directions, each with its weight",
     R"((?s)\b(dy|ky|kh|fy)\s*=[^;]*;.{0,80}\b(dx|kx|kw|fx)\s*=[^;]*;.*\+=[^;]*\*)"},
    {"conv2d", 4, "taps of a filter", R"(\b(taps?|F\s*/\s*2|filter|kernel_size|KSIZE)\b)", R"((?i)pool)"},
    {"stencil", 2, "a halo", R"(\bhalo\b)", R"(\b(taps?|F\s*/\s*2|filter)\b)"},
    {"vector_add", 4, "it stores the sum of two elements",
     R"(\w+\[\w+\]\s*=\s*\w+\[\w+\]\s*\+\s*\w+\[\w+\]\s*;)", R"(__shfl_up|\b(sum|scan|prefix)\b)"},
    {"vector_add", 4, "it stores the sum of two tiles", R"(tl\.store\([^\n]*,\s*\w+\s*\+\s*\w+\s*[,)])",
     R"(tl\.(sum|dot|max))"},
    {"vector_add", 3, "two vectors in, one out",
     R"((?s)\(const (float|half|__half|double)\s*\*\s*(__restrict__ )?\w+,\s*const \w+\s*\*\s*(__restrict__ )?\w+,\s*\w+\s*\*\s*(__restrict__ )?\w+,\s*(int|size_t|long long)\s+\w+\))",
     R"(\bexpf?\b|\+=)"},
    {"activation", 4, "an activation function",
     R"((?i)\b(sigmoid|silu|gelu|relu|swish|tanhf?|erff?|gated)\b)", R"((?i)\b(wgmma|mma|tl\.dot)\b)"},
    {"activation", 3, "a division by one plus an exponential",
     R"(/\s*\(\s*1(\.0?f?)?\s*\+\s*(__expf|expf?|\w*e)\b)"},
    {"activation", 2.7, "what is below zero becomes zero",
     R"(\bfmaxf?\(\s*[^,()]+,\s*0(\.0?f?)?\s*\)|\w\s*>\s*0(\.0?f?)?\s*\?\s*\w|tl\.maximum\([^,()]+,\s*0(\.0)?\s*\))"},
    {"reduction", 2.6, "a tree over shared memory, or CUB's reduction",
     R"((?s)__shared__.*(>>=\s*1|/=\s*2)|\b(Block|Warp)Reduce\b)",
     R"((?i)\b(expf?|rsqrtf?|sqrtf?|target|mma)\b)"},
    {"reduction", 3, "partial sums",
     R"(atomicAdd\s*\(\s*\w+\s*,|\b(tl|ct)\.sum\(|(warp_sum|block_sum|__reduce_add_sync|partial_?sums?)\b|\bpartials?\s*\[)",
     R"((?i)\b(exp2?f?|rsqrtf?|sqrtf?|target|eps)\b)"},
    {"reduction", 2, "sums by shuffles, nothing else", R"(__shfl_(xor|down)_sync)",
     R"((?i)\b(expf?|rsqrtf?|sqrtf?|target|eps|mma|atomicAdd\(&)\b)"},
    {"sort", 3, "words of sorting", R"((?i)\b(bitonic|radix|topk|argsort)\b)"},
    {"gather", 3, "indices read from memory", R"(\w+\[\s*\w*(idx|index|indices|ids)\w*\[)"},
    {"spmv", 4, "row pointers", R"((?i)\b(row_ptr|rowptr|indptr)\b)", heads},
    {"attention", 4, "heads, and logarithms of their sums", R"((?i)(\b|_)lse(\b|_))", "", heads},
    {"dropout", 4, "random numbers", R"(curand|tl\.rand\b)"},
    {"fft", 4, "twiddle factors", R"((?i)\b(twiddle|butterfly)\b)"},
});

class Scores {
 public:
  void add(std::string_view type, double weight, const std::string& reason) {
    Score& score = scores_[std::string(type)];
    score.total += weight;
    if (weight > score.heaviest) {
      score.heaviest = weight;
      score.reason = reason;
    }
  }
  double of(const std::string& type) const {
    auto at = scores_.find(type);
    return at == scores_.end() ? 0 : at->second.total;
  }
  TypeGuess best(double least) const {
    TypeGuess guess;
    for (const auto& [type, score] : scores_) {
      if (score.total <= least) continue;
      least = score.total;
      guess = {type, score.reason};
    }
    return guess;
  }

 private:
  struct Score {
    double total = 0, heaviest = 0;
    std::string reason;
  };
  std::map<std::string, Score> scores_;
};

// The first type that the words name; false where they name none.
bool add_name(Scores& scores, const std::string& words, double weight, const std::string& reason) {
  for (const NameClue& clue : name_clues) {
    if (!RE2::PartialMatch(words, RE2(fmt::format("(?i){}", clue.pattern)))) continue;
    scores.add(clue.type, weight, reason);
    return true;
  }
  return false;
}

// The file's own name, else its folder's: many a kernel is called "kernel" in softmax.py, or in vector_add/.
void add_file(Scores& scores, const std::string& path) {
  constexpr double by_stem = 6, by_folder = 4;
  const std::filesystem::path file(path);
  const std::string stem = file.stem().string(), folder = file.parent_path().filename().string();
  if (!add_name(scores, stem, by_stem, "its file is called " + stem))
    add_name(scores, folder, by_folder, "its folder is called " + folder);
}

// By what is done to the elements; that each is by itself counts where nothing else does.
void add_work(Scores& scores, const std::string& code, const std::vector<std::string>& kernels) {
  if (exchanges_indices(code)) scores.add("transpose", 4, "it writes with indices exchanged");
  if (is_elementwise(code)) scores.add("elementwise", 2.6, "each thread works on elements of its own");
  if (const std::string_view moved = moved_by_index(code); !moved.empty())
    scores.add(moved, 3,
               "an index from memory says where it " + std::string(moved == "gather" ? "reads" : "writes"));
  const std::string_view norm = norm_of(code);
  if (norm.empty()) return;
  scores.add(norm, 5,
             norm == "rmsnorm" ? "squares are summed, no mean is taken away"
                               : "sums and squares, and the root of their sum");
  for (const std::string& kernel : kernels) {
    // Which norm, the code says; what it does to its elements beside is part of it.
    constexpr double by_name = 8;
    if (RE2::PartialMatch(kernel, "(?i)norm"))
      scores.add(norm, by_name / static_cast<double>(kernels.size()), "its kernel is called " + kernel);
  }
}

}  // namespace

TypeGuess guess_type(const std::string& code, const std::vector<std::string>& kernels,
                     const std::string& comments, const std::string& path) {
  constexpr double by_name = 6, by_file_comment = 1.5, enough = 2.5;
  Scores scores;
  for (const std::string& kernel : kernels) {
    double share = by_name / static_cast<double>(kernels.size());
    add_name(scores, kernel, share + 1, "its kernel is called " + kernel);
  }
  add_file(scores, path);
  add_name(scores, comments, by_file_comment, "its comments say so");
  for (const CodeClue& clue : code_clues) {
    if (*clue.against != '\0' && RE2::PartialMatch(code, RE2(clue.against))) continue;
    if (*clue.also != '\0' && !RE2::PartialMatch(code, RE2(clue.also))) continue;
    if (RE2::PartialMatch(code, RE2(clue.pattern))) scores.add(clue.type, clue.weight, clue.why);
  }
  add_work(scores, code, kernels);
  // Attention holds a softmax and products, a norm and a softmax hold reductions.
  if (scores.of("attention") >= 5 && RE2::PartialMatch(code, RE2(exponential)))
    scores.add("attention", 4, "");
  return scores.best(enough);
}

}  // namespace explog::intake
