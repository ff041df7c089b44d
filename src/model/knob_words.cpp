#include "model/knob_words.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>

#include "base/text.h"

namespace explog {
namespace {

// A knob: how people call it (separated by '|', blanks for '_' and '-'), the backends this row is for (empty:
// any), the strategies `stem:up` and `stem:down` (or on and off), and the one without direction.
struct Knob {
  std::string_view names, backends, stem, tuned;
  bool flag = false;
};

constexpr auto knobs = std::to_array<Knob>({
    {"num warps|n warps|nwarps|warps|number of warps|warp count", "", "num_warps", "triton_num_warps"},
    {"num stages|stages|number of stages|pipeline stages|pipeline depth|stage count", "", "num_stages",
     "triton_num_stages"},
    {"block size|blocksize|block|xblock|block shape|block sizes", "triton", "", "triton_block_shapes"},
    {"tile size|tile|tile m|tile n|tile k|tile shape|block size|tile sizes", "cutile", "",
     "cutile_tile_size"},
    {"occupancy|occupancy hint", "cutile", "", "cutile_occupancy_hint"},
    {"num ctas|ctas", "cutile", "", "cutile_num_ctas"},
    {"group size m|group m|group size", "cutile", "", "cutile_group_size_m"},
    {"mma tiler|mma tiler mn|tile m|tile n|tile size|block m|block n", "cutedsl", "", "cutedsl_mma_tiler"},
    {"cluster shape|cluster shape mn|cluster size", "cutedsl", "", "cutedsl_cluster_shape"},
    {"cluster size|cluster shape|cluster dim", "cuda", "", "thread_block_clusters"},
    {"group size m|group m", "triton", "", "triton_l2_swizzle"},
    {"group size m|group m", "cuda hip", "", "l2_tile_swizzle"},
    {"split k|splitk|k splits|num splits", "triton", "", "triton_split_k"},
    {"split k|splitk|k splits|num splits", "", "", "split_k"},
    {"maxrregcount|max registers|launch bounds|min blocks", "", "", "launch_bounds"},
    {"block x|block size x|blockdim x|block dim x|threads x", "", "block_x", "block_size_choice"},
    {"block y|block size y|blockdim y|block dim y|threads y", "", "block_y", "block_size_choice"},
    {"block size|blocksize|block dim|blockdim|threads per block|num threads|nthreads|threads|block threads|"
     "thread count|threads per cta|cta size|thread block size|block|blocks size|warps per block|warps per "
     "cta",
     "cuda hip other", "block_x", "block_size_choice"},
    {"block m|block size m|tile m|bm|wg tile m|m tile|mwg|block tile m|cta tile m", "", "wg_tile_m", ""},
    {"block n|block size n|tile n|bn|wg tile n|n tile|nwg|block tile n|cta tile n", "", "wg_tile_n", ""},
    {"block k|block size k|tile k|bk|wg tile k|k tile|kwg|block tile k|cta tile k", "", "wg_tile_k", ""},
    {"unroll|unroll factor|loop unroll|loop unroll factor|unrolling|unrolling factor|pragma unroll|unrolls",
     "", "unroll", "loop_unroll"},
    {"vector width|vec width|vec|vector size|vec size|vector length|vector|loads width", "", "vector_width",
     "vectorized_access"},
    {"vector width m|vwm", "", "vector_width_m", ""},
    {"vector width n|vwn", "", "vector_width_n", ""},
    {"coarsen x|coarsen|coarsening|coarsening factor|coarsen factor|thread coarsening factor|work per "
     "thread|items per thread|"
     "elements per thread|outputs per thread|thread coarsening|ept|wpt|work per thread x",
     "cuda hip other", "coarsen_x", "thread_coarsening"},
    {"coarsen y|rows per thread|work per thread y", "cuda hip other", "coarsen_y", "thread_coarsening"},
    {"smem padding|shared memory padding|use padding|padding|shared padding", "", "smem_padding",
     "smem_padding", true},
    {"smem tiling|shared memory tiling|use smem|use shmem|use shared mem|use shared memory", "",
     "smem_tiling", "smem_tiling", true},
    {"readonly cache|read only cache|use read only|read only", "", "readonly_cache", "readonly_cache", true},
    {"precompute|precomputed table", "", "precompute", "", true},
    {"l2 swizzle|program id swizzle", "", "l2_swizzle", "", true},
    {"strided access x|tile stride x", "", "strided_access_x", "", true},
    {"strided access y|tile stride y", "", "strided_access_y", "", true},
});

bool is_knob(std::string_view name) {
  return std::any_of(knobs.begin(), knobs.end(), [&](const Knob& k) { return has_part(k.names, '|', name); });
}

bool has_directed(std::string_view name) {
  return std::any_of(knobs.begin(), knobs.end(),
                     [&](const Knob& k) { return !k.stem.empty() && has_part(k.names, '|', name); });
}

// 1 for words of more, -1 for words of less.
int direction_of(std::string_view word) {
  constexpr std::string_view more =
      "increase increased increasing raise raised bump bumped double doubled doubling more larger bigger "
      "wider "
      "deeper higher up grow enlarge enlarged quadruple widen";
  constexpr std::string_view less =
      "decrease decreased decreasing reduce reduced reducing lower lowered halve halved halving fewer "
      "smaller "
      "less narrower shallower down shrink cut";
  return has_part(more, ' ', word) ? 1 : has_part(less, ' ', word) ? -1 : 0;
}

bool is_filler(std::string_view word) {
  return has_part(
      "change changed changing set setting tune tuned tuning use using try switch the from a of bump to", ' ',
      word);
}

// Lower case, one kind of arrow, a blank for what separates words.
std::string plain(std::string_view text) {
  std::string s = lower(trim(text));
  for (const char* arrow : {"\xE2\x86\x92", "-->", "==>", "=>"}) s = replace_all(s, arrow, "->");
  for (const char* quote : {"`", "'", "\"", "*", "#"}) s = replace_all(s, quote, "");
  return s;
}

std::string blanked(std::string_view name) {
  std::string s;
  for (char c : name) {
    bool kept = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (kept) s += c;
    if (!kept && !s.empty() && s.back() != ' ') s += ' ';
  }
  return std::string(trim(s));
}

// The name of a knob without the words around it, and the direction they give; nothing when it is no knob.
struct Named {
  std::string knob;
  int direction = 0;
  std::string direction_word = {};
  bool at_end = false;  // the direction stands behind the knob
};
std::optional<Named> named_knob(std::string_view text) {
  Named named;
  std::string whole = blanked(text);
  if (is_knob(whole)) {
    named.knob = whole;
    return named;
  }
  for (std::string_view word : split(whole, ' ')) {
    if (int d = direction_of(word); d != 0) {
      if (named.direction == -d) return std::nullopt;
      named.direction = d;
      named.direction_word = word;
      named.at_end = !named.knob.empty();
    } else if (!is_filler(word) || !named.knob.empty()) {
      named.knob += (named.knob.empty() ? "" : " ") + std::string(word);
    }
  }
  while (!named.knob.empty() && !is_knob(named.knob)) {  // "unroll factor from", "num warps to"
    auto last = named.knob.rfind(' ');
    std::string word = last == std::string::npos ? named.knob : named.knob.substr(last + 1);
    if (!is_filler(word)) return std::nullopt;
    named.knob.resize(last == std::string::npos ? 0 : last);
  }
  return named.knob.empty() ? std::nullopt : std::optional(named);
}

// Without numbers "block reduce" is a reduction and "double vector" a type: the words must tell for sure.
bool tells_direction(const Named& named) {
  if (named.direction == 0) return false;
  std::string_view word = named.direction_word;
  bool also_a_noun = has_part("block|tile|vec|vector|warps|threads|stages", '|', named.knob);
  if (also_a_noun && (word.starts_with("reduc") || word.starts_with("doubl") || word == "cut")) return false;
  return !named.at_end || word == "up" || word == "down" || word.ends_with("ed");
}

std::optional<double> value_of(std::string_view text) {
  if (text == "on" || text == "true" || text == "yes") return 1;
  if (text == "off" || text == "false" || text == "no" || text == "none") return 0;
  return parse_number(text);
}

// What may stand behind a change: why it was made.
bool is_reason(std::string_view rest) {
  static const RE2 reason(R"(\s*($|[.;(\[]|,?\s*(for|because|since|so|on|in|at|per|as)\b).*)");
  return rest.find("->") == std::string_view::npos && rest.find('=') == std::string_view::npos &&
         RE2::FullMatch(re2::StringPiece(rest.data(), rest.size()), reason);
}

}  // namespace

std::optional<KnobChange> knob_change(std::string_view given) {
  static const RE2 change(
      R"((?s)([a-z][a-z0-9_ .\-]*?)\s*(?:[:=]\s*|\s)(\d+(?:\.\d+)?|on|off|true|false)\s*(?:->|\bto\b|\binto\b)\s*)"
      R"((?:([a-z][a-z0-9_ .\-]*?)\s*[:=]\s*)?(\d+(?:\.\d+)?|on|off|true|false)\b(.*))");
  static const RE2 setting(R"((?s)([a-z][a-z0-9_ .\-]*?)\s*(?:[:=]\s*|\s)(?:to\s+)?(\d+)\b(.*))");
  static const RE2 shapes(
      R"((?s)([a-z][a-z0-9_ .\-]*?)\s*[:=]?\s*\(?\d+\s*[x,]\s*\d+(?:\s*[x,]\s*\d+)?\)?\s*->\s*)"
      R"(\(?\d+\s*[x,]\s*\d+(?:\s*[x,]\s*\d+)?\)?(.*))");
  static const RE2 counted(R"((\d+) ([a-z ]+))");
  if (given.size() > 300) return std::nullopt;
  std::string text = plain(given), name, again, first, second, rest;
  KnobChange result;
  if (RE2::FullMatch(text, change, &name, &first, &again, &second, &rest)) {
    auto knob = named_knob(name);
    if (!knob || !is_reason(rest) || (!again.empty() && blanked(again) != knob->knob)) return std::nullopt;
    result = {knob->knob, value_of(first), value_of(second), 0};
    if (!result.from || !result.to || *result.from == *result.to) return std::nullopt;
    result.direction = *result.to > *result.from ? 1 : -1;
    if (knob->direction == -result.direction) return std::nullopt;
    return result;
  }
  if (RE2::FullMatch(text, shapes, &name, &rest)) {  // (2,1) -> (4,1): which is more cannot be said
    auto knob = named_knob(name);
    bool has_no_direction = knob && is_reason(rest) && !has_directed(knob->knob);
    return has_no_direction ? std::optional(KnobChange{knob->knob, std::nullopt, std::nullopt, 0})
                            : std::nullopt;
  }
  if (RE2::FullMatch(text, counted, &first, &name)) {
    auto knob = named_knob(name);
    if (knob && knob->direction == 0) return KnobChange{knob->knob, std::nullopt, value_of(first), 0};
  }
  if (RE2::FullMatch(text, setting, &name, &first, &rest)) {
    auto knob = named_knob(name);
    if (!knob || !is_reason(rest)) return std::nullopt;
    return KnobChange{knob->knob, std::nullopt, value_of(first), knob->direction};
  }
  std::size_t colon = text.rfind(':');
  bool spelled = colon != std::string::npos && (text.substr(colon) == ":up" || text.substr(colon) == ":down");
  auto knob = named_knob(spelled ? text.substr(0, colon) + ' ' + text.substr(colon + 1) : text);
  if (!knob || !tells_direction(*knob)) return std::nullopt;
  return KnobChange{knob->knob, std::nullopt, std::nullopt, knob->direction};
}

std::vector<std::string> strategies_of(const KnobChange& change, std::string_view backend) {
  std::vector<std::string> ids;
  for (const Knob& knob : knobs) {
    bool here = knob.backends.empty() || has_part(knob.backends, ' ', backend.empty() ? "other" : backend);
    if (!here || !has_part(knob.names, '|', change.knob)) continue;
    bool one = !change.from || *change.from == 0 || *change.from == 1;
    bool flag_set = knob.flag && change.direction != 0 && one && (!change.to || *change.to <= 1);
    if (!knob.stem.empty() && change.direction != 0 && (!knob.flag || flag_set)) {
      const char* words[] = {":down", ":up", ":off", ":on"};
      ids.push_back(std::string(knob.stem) + words[(knob.flag ? 2 : 0) + (change.direction > 0 ? 1 : 0)]);
    }
    if (!knob.tuned.empty()) ids.emplace_back(knob.tuned);
    return ids;
  }
  return ids;
}

}  // namespace explog
