#include "model/vocabulary.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/text.h"

namespace explog {
namespace {

struct Word {
  std::string_view word;
  std::string_view synonyms;  // separated by blanks, lower case, with '_' for blanks and hyphens
};

constexpr std::array<Word, 6> bottlenecks = {{
    {"memory", "mem memory_bound bandwidth bandwidth_bound dram memory_bandwidth"},
    {"compute", "compute_bound math math_bound alu"},
    {"latency", "latency_bound launch_bound launch"},
    {"occupancy", "occupancy_bound"},
    {"balanced", "mixed"},
    {"unknown", ""},
}};
constexpr std::array<Word, 6> backends = {{
    {"cuda", "cu cuda_c cuda_cpp cuda_c++ ptx"},
    {"triton", "openai_triton"},
    {"cutile", "cuda_tile cu_tile ctile"},
    {"cutedsl", "cute cute_dsl cutlass_dsl cutlass_cute"},
    {"hip", "rocm"},
    {"other", "opencl metal sycl vulkan"},
}};
constexpr std::array<Word, 3> outcomes = {{
    {"success", "win improved improvement faster succeeded confirmed_win"},
    {"neutral", "no_change unchanged same"},
    {"failure", "fail failed loss regression regressed slower confirmed_loss"},
}};
constexpr std::array<Word, 3> decisions = {{
    {"keep", "kept accept accepted"},
    {"revert", "reverted reject rejected discard discarded"},
    {"crash", "crashed error"},
}};
constexpr std::array<Word, 8> causes = {{
    {"regression", "slower"},
    {"wrong_values", "incorrect wrong correctness incorrect_numerical mismatch"},
    {"compile_error", "compile build build_error compilation"},
    {"launch_error", "runtime_error runtime launch"},
    {"timeout", "timed_out hang"},
    {"sanitizer", "memcheck racecheck"},
    {"nan", "inf non_finite"},
    {"out_of_memory", "oom"},
}};
constexpr std::array<Word, 4> levels = {
    {{"claimed", "typed"}, {"imported", ""}, {"measured", ""}, {"replicated", ""}}};
constexpr std::array<Word, 3> correctnesses = {{
    {"pass", "passed ok true correct yes all_pass"},
    {"fail", "failed false wrong incorrect no"},
    {"unknown", "not_checked n/a"},
}};
constexpr std::array<Word, 13> dtypes = {{
    {"f64", "fp64 float64 double"},
    {"f32", "fp32 float32 float single"},
    {"tf32", "tensorfloat32"},
    {"f16", "fp16 float16 half"},
    {"bf16", "bfloat16"},
    {"f8", "fp8 f8e4m3 f8e5m2 e4m3 e5m2 fp8_e4m3 fp8_e5m2 float8 float8_e4m3fn float8_e5m2"},
    {"f4", "fp4 nvfp4 mxfp4 e2m1"},
    {"i64", "int64 long"},
    {"i32", "int32 int"},
    {"i16", "int16"},
    {"i8", "int8"},
    {"u8", "uint8"},
    {"bool", "b1"},
}};

// Nsight Compute's reasons why a warp waits, by the names of its metrics.
constexpr std::array<Word, 19> stalls = {{
    {"long_scoreboard", ""},
    {"short_scoreboard", ""},
    {"lg_throttle", "local_global_throttle"},
    {"mio_throttle", ""},
    {"tex_throttle", ""},
    {"math_pipe_throttle", "math_throttle"},
    {"wait", ""},
    {"barrier", ""},
    {"membar", "memory_barrier"},
    {"branch_resolving", "branch_resolve"},
    {"no_instruction", "no_instructions no_inst"},
    {"not_selected", ""},
    {"selected", ""},
    {"drain", ""},
    {"imc_miss", "imc"},
    {"dispatch_stall", "dispatch"},
    {"sleeping", ""},
    {"misc", ""},
    {"gmma", "warpgroup_arrive"},
}};

// Of a strategy in the playbook.
constexpr std::array<Word, 8> categories = {{{"memory", ""},
                                             {"compute", ""},
                                             {"latency", ""},
                                             {"occupancy", ""},
                                             {"tuning", ""},
                                             {"algorithm", ""},
                                             {"numerics", ""},
                                             {"launch", ""}}};

// Each enum names all words of its table, and the last one has the last place.
template <class Enum, std::size_t n>
constexpr std::string_view word_of(const std::array<Word, n>& table, Enum value) {
  return table[static_cast<std::size_t>(value)].word;
}
static_assert(word_of(bottlenecks, Bottleneck::unknown) == "unknown");
static_assert(word_of(backends, RecordBackend::other) == "other");
static_assert(word_of(outcomes, Outcome::failure) == "failure");
static_assert(word_of(decisions, Decision::crash) == "crash");
static_assert(word_of(causes, Cause::out_of_memory) == "out_of_memory");
static_assert(word_of(levels, Level::replicated) == "replicated");
static_assert(word_of(correctnesses, Correctness::unknown) == "unknown");

std::string without_prefix(const std::string& text, std::string_view prefix) {
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

std::span<const Word> entries(Vocabulary vocabulary) {
  switch (vocabulary) {
    case Vocabulary::bottleneck:
      return bottlenecks;
    case Vocabulary::backend:
      return backends;
    case Vocabulary::outcome:
      return outcomes;
    case Vocabulary::decision:
      return decisions;
    case Vocabulary::cause:
      return causes;
    case Vocabulary::level:
      return levels;
    case Vocabulary::correctness:
      return correctnesses;
    case Vocabulary::dtype:
      return dtypes;
    case Vocabulary::stall:
      return stalls;
    case Vocabulary::category:
      return categories;
  }
  return {};
}

}  // namespace

std::string_view word(Bottleneck bottleneck) { return word_of(bottlenecks, bottleneck); }
std::string_view word(RecordBackend backend) { return word_of(backends, backend); }
std::string_view word(Outcome outcome) { return word_of(outcomes, outcome); }
std::string_view word(Decision decision) { return word_of(decisions, decision); }
std::string_view word(Cause cause) { return word_of(causes, cause); }
std::string_view word(Level level) { return word_of(levels, level); }
std::string_view word(Correctness correctness) { return word_of(correctnesses, correctness); }

std::optional<std::string> canonical(Vocabulary vocabulary, std::string_view text) {
  for (const Word& word : entries(vocabulary)) {  // nearly always canonical already
    if (text == word.word) return std::string(text);
  }
  std::string key = lower(trim(text));
  for (char& c : key) {
    if (c == '-' || c == ' ') c = '_';
  }
  if (vocabulary == Vocabulary::stall) key = without_prefix(without_prefix(key, "stalled_"), "stall_");
  for (const Word& word : entries(vocabulary)) {
    if (key == word.word || (!key.empty() && has_part(word.synonyms, ' ', key)))
      return std::string(word.word);
  }
  return std::nullopt;
}

std::vector<std::string> words(Vocabulary vocabulary) {
  std::vector<std::string> list;
  for (const Word& word : entries(vocabulary)) list.emplace_back(word.word);
  return list;
}

std::vector<std::string> words_but(Vocabulary vocabulary, std::string_view left_out) {
  std::vector<std::string> list = words(vocabulary);
  std::erase(list, left_out);
  return list;
}

bool is_word(Vocabulary vocabulary, std::string_view text) {
  auto list = entries(vocabulary);
  return std::any_of(list.begin(), list.end(), [&](const Word& word) { return word.word == text; });
}

std::optional<Vocabulary> vocabulary_of(std::string_view field) {
  if (field == "bottleneck") return Vocabulary::bottleneck;
  if (field == "backend") return Vocabulary::backend;
  if (field == "outcome") return Vocabulary::outcome;
  if (field == "decision") return Vocabulary::decision;
  if (field == "cause") return Vocabulary::cause;
  if (field == "level") return Vocabulary::level;
  if (field == "correctness") return Vocabulary::correctness;
  if (field == "dtype") return Vocabulary::dtype;
  if (field == "stall") return Vocabulary::stall;
  return std::nullopt;
}

std::string canonical_strategy(std::string_view text) {
  std::string out;
  for (char c : lower(trim(text))) {
    bool kept =
        (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '+' || c == ':';
    if (kept) out += c;
    if (!kept && (out.empty() || out.back() != '_')) out += '_';
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  return out.substr(0, 120);
}

}  // namespace explog
