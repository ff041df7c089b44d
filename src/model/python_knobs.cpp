#include "model/python_knobs.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "base/text.h"
#include "model/comments.h"

namespace explog {
namespace {

constexpr std::size_t most_found = 16, most_choices = 63;
// A source of megabytes is looked through in moments all the same.
constexpr std::size_t most_places = 1000, longest_call = 64 << 10, longest_config = 1 << 10;

struct Form {
  const char* kind;
  const char* pattern;  // groups: name, value
};
// What a line of a source looks like; (?m) makes ^ the first column.
constexpr Form forms[] = {
    {"constant", R"((?m)^[ \t]*([A-Z][A-Z0-9_]*)[ \t]*=[ \t]*(-?\d+|True|False)[ \t\r]*$)"},
    {"constexpr default", R"(\b(\w+)\s*:\s*(?:tl|triton\.language|gl)\.constexpr\s*=\s*(\d+|True|False)\b)"},
    {"constexpr default", R"(\b(\w+)\s*:\s*(?:ct\.)?(?:ConstInt|Constant\[int\])\s*=\s*(\d+)\b)"},
    {"CuTe DSL", R"(\b(use_2cta_instrs|use_tma_store)\s*(?::\s*[\w.\[\]]+\s*)?=\s*(True|False)\b)"},
};
constexpr const char* launch_form = R"(\b(num_warps|num_stages|num_ctas|maxnreg)\s*=\s*(\d+)\b)";
constexpr const char* hint_form = R"(\b(occupancy|num_ctas)\s*=\s*(\d+)\b)";
constexpr const char* pair_form =
    R"(\b(mma_tiler|cluster_shape)_mn\s*(?::\s*[\w.]+(?:\[[^\]\n]*\])?\s*)?=\s*\(\s*(\d+)\s*,\s*(\d+)\s*\))";
constexpr const char* tuple_form =
    R"((?m)^[ \t]*([A-Z][A-Z0-9_]*(?:[ \t]*,[ \t]*[A-Z][A-Z0-9_]*)+)[ \t]*=[ \t]*(\d+(?:[ \t]*,[ \t]*\d+)+)[ \t\r]*$)";
constexpr const char* list_form = R"(\bconfigs\s*=\s*(\[))";

struct Usual {
  std::string_view name;
  std::array<double, 5> values;  // 0 ends them
};
constexpr Usual usual[] = {
    {"num_warps", {1, 2, 4, 8, 16}}, {"num_stages", {1, 2, 3, 4, 5}},     {"num_ctas", {1, 2, 4}},
    {"occupancy", {1, 2, 4, 8}},     {"group_size_m", {1, 2, 4, 8, 16}},  {"group_m", {1, 2, 4, 8, 16}},
    {"mma_tiler_m", {64, 128, 256}}, {"mma_tiler_n", {32, 64, 128, 256}}, {"cluster_shape_m", {1, 2, 4}},
    {"cluster_shape_n", {1, 2, 4}},  {"warps", {1, 2, 4, 8, 16}},         {"stages", {1, 2, 3, 4, 5}},
    {"group", {1, 2, 4, 8, 16}}};

// The bracket that closes the one at `open`; npos where none does.
std::size_t closing(std::string_view code, std::size_t open) {
  int depth = 0;
  char quote = 0;
  for (std::size_t i = open; i < std::min(code.size(), open + longest_call); ++i) {
    char c = code[i];
    if (quote != 0) {
      if (c == '\\') ++i;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if ((c == ')' || c == ']' || c == '}') && --depth == 0) {
      return i;
    }
  }
  return std::string_view::npos;
}

class Finder {
 public:
  explicit Finder(std::string_view code) : code_(code) {
    for (std::size_t at = code.find('\n'); at != std::string_view::npos; at = code.find('\n', at + 1))
      line_ends_.push_back(at);
  }

  std::vector<KnobPlace> all() {
    find_lists();
    for (const Form& form : forms) find(form.pattern, form.kind);
    find_pairs();
    find_tuples();
    bool cutile = code_.find("cuda.tile") != std::string_view::npos ||
                  code_.find("ct.kernel") != std::string_view::npos;
    find(cutile ? hint_form : launch_form, cutile ? "hint" : "launch setting");
    std::sort(places_.begin(), places_.end(),
              [](const KnobPlace& a, const KnobPlace& b) { return a.begin < b.begin; });
    return std::move(places_);
  }

 private:
  KnobPlace place(const std::string& name, const char* kind, re2::StringPiece value) const {
    auto begin = static_cast<std::size_t>(value.data() - code_.data());
    return {name, kind, std::string(value), begin, begin + value.size(), line_of(begin), 0};
  }
  int line_of(std::size_t at) const {
    auto end = std::lower_bound(line_ends_.begin(), line_ends_.end(), at);
    return 1 + static_cast<int>(end - line_ends_.begin());
  }
  bool is_full() const { return places_.size() >= most_places; }
  bool in_list(std::size_t at) const {
    return std::any_of(lists_.begin(), lists_.end(),
                       [&](const auto& l) { return at > l.first && at < l.second; });
  }

  void find(const char* pattern, const char* kind) {
    RE2 form(pattern);
    re2::StringPiece rest(code_.data(), code_.size()), value;
    for (std::string name; !is_full() && RE2::FindAndConsume(&rest, form, &name, &value);) {
      KnobPlace found = place(name, kind, value);
      if (!in_list(found.begin) && !is_in_config(found.begin)) places_.push_back(std::move(found));
    }
  }

  // A setting of a triton.Config that stands in no list of an autotuner.
  bool is_in_config(std::size_t at) const {
    std::size_t from = at - std::min(at, longest_config);
    std::string_view before = code_.substr(from, at - from);
    std::size_t call = before.rfind("Config(");
    if (call == std::string_view::npos) return false;
    return closing(before, call + 6) == std::string_view::npos;  // still open where the value stands
  }

  void find_pairs() {
    static const RE2 form(pair_form);
    re2::StringPiece rest(code_.data(), code_.size()), m, n;
    for (std::string name; !is_full() && RE2::FindAndConsume(&rest, form, &name, &m, &n);) {
      places_.push_back(place(name + "_m", "CuTe DSL", m));
      places_.push_back(place(name + "_n", "CuTe DSL", n));
    }
  }

  // TILE_M, TILE_N = 256, 128
  void find_tuples() {
    static const RE2 form(tuple_form);
    re2::StringPiece rest(code_.data(), code_.size()), names, values;
    while (!is_full() && RE2::FindAndConsume(&rest, form, &names, &values)) {
      std::vector<std::string_view> left = split(std::string_view(names.data(), names.size()), ',');
      std::vector<std::string_view> right = split(std::string_view(values.data(), values.size()), ',');
      for (std::size_t i = 0; left.size() == right.size() && i < left.size(); ++i) {
        std::string_view value = trim(right[i]);
        places_.push_back(place(std::string(trim(left[i])), "constant", {value.data(), value.size()}));
      }
    }
  }

  void find_lists() {
    static const RE2 form(list_form), slice(R"(\[(-?\d*):\d*\])");
    re2::StringPiece rest(code_.data(), code_.size()), open;
    for (std::size_t tried = 0; tried < most_choices && RE2::FindAndConsume(&rest, form, &open); ++tried) {
      auto begin = static_cast<std::size_t>(open.data() - code_.data());
      std::size_t end = closing(code_, begin);
      if (end == std::string_view::npos) continue;
      lists_.emplace_back(begin, end);
      std::string_view list = code_.substr(begin, end - begin);
      KnobPlace found{"algo_config", "triton.Config list", "-1", end + 1, end + 1, line_of(begin), 0};
      for (std::size_t at = list.find("Config("); at != std::string_view::npos;
           at = list.find("Config(", at + 1))
        ++found.choices;
      std::string index;
      re2::StringPiece behind(code_.data() + end + 1, code_.size() - end - 1), whole = behind;
      if (RE2::Consume(&behind, slice, &index)) {
        found.end += whole.size() - behind.size();
        if (!index.empty()) found.value = index;
      }
      bool written_out = list.find(" for ") == std::string_view::npos;
      if (written_out && found.choices > 1 && found.choices <= most_choices)
        places_.push_back(std::move(found));
    }
  }

  std::string_view code_;
  std::vector<KnobPlace> places_;
  std::vector<std::size_t> line_ends_;
  std::vector<std::pair<std::size_t, std::size_t>> lists_;
};

// tl.dot takes no fewer than 16 elements of depth (min_dot_size of Triton's NVIDIA backend), and pads what is smaller elsewhere;
// which side of the tile a number is, nobody says.
double smallest_tile(std::string_view code) {
  static const RE2 product(R"(\b(?:tl|triton\.language|gl)\.dot(?:_scaled)?\s*\()");
  return RE2::PartialMatch(re2::StringPiece(code.data(), code.size()), product) ? 16 : 1;
}

// `least`: what is halved does not fall below it.
std::vector<double> usual_values(const KnobPlace& place, double least) {
  double own = *number_at(place);
  std::vector<double> values;
  if (place.choices > 0) {
    for (std::size_t i = 0; i <= place.choices; ++i) values.push_back(static_cast<double>(i) - 1);
    return values;
  }
  const bool truth = place.value == "True" || place.value == "False";
  std::string low = lower(place.name);
  for (const Usual& u : usual) {
    if (truth || own == 0 || u.name != low) continue;
    for (double value : u.values) {
      if (value > 0) values.push_back(value);
    }
  }
  if (!values.empty()) return values;
  if (truth || own == 0 || (own == 1 && place.kind == "constant")) return {0, 1};
  if (own < 0 || std::exp2(std::round(std::log2(own))) != own) return values;
  for (double value : {own / 2, own, 2 * own}) {
    if (value >= (own < least ? 1 : least)) values.push_back(value);
  }
  return values;
}

// What tcgen05 products of one block and of two have no instruction for (CUTLASS, examples/python/CuTeDSL, blackwell
// dense_gemm_persistent.py, can_implement): rules over the knobs that were found.
std::vector<Rule> rules_of_cutedsl(const std::vector<DeclaredKnob>& knobs) {
  auto knob = [&](std::string_view name) {
    return std::find_if(knobs.begin(), knobs.end(), [&](const DeclaredKnob& k) { return k.name == name; });
  };
  std::vector<Rule> rules;
  const auto two = knob("use_2cta_instrs");
  if (two == knobs.end()) return rules;
  if (knob("mma_tiler_m") != knobs.end())
    rules.push_back(
        {"where", "mma_tiler_m IN (64 + 64 * use_2cta_instrs, 128 + 128 * use_2cta_instrs)", two->place});
  if (knob("cluster_shape_m") != knobs.end())
    rules.push_back({"where", "use_2cta_instrs = 0 OR cluster_shape_m % 2 = 0", two->place});
  return rules;
}

}  // namespace

std::vector<KnobPlace> python_knobs(std::string_view bare) { return Finder(bare).all(); }

std::optional<double> number_at(const KnobPlace& place) {
  if (place.value == "True") return 1;
  if (place.value == "False") return 0;
  return parse_number(place.value);
}

std::string written_value(const KnobPlace& place, const Scalar& value) {
  if (place.choices > 0) {
    double index = as_number(value).value_or(-1);
    return index < 0 ? "[:]" : "[" + number_text(index) + ":" + number_text(index + 1) + "]";
  }
  bool truth = place.value == "True" || place.value == "False";
  return !truth ? scalar_text(value) : as_number(value).value_or(0) != 0 ? "True" : "False";
}

DeclaredSpace found_in_python(std::string_view source, const std::string& file) {
  DeclaredSpace found;
  std::string bare = without_comments(source, {.python = true});
  std::vector<KnobPlace> places = python_knobs(bare);
  const double least = smallest_tile(bare);
  for (const KnobPlace& place : places) {
    // One value for all places of a name, or nobody knows which one is meant.
    bool disagree = std::any_of(places.begin(), places.end(), [&](const KnobPlace& other) {
      return other.name == place.name && other.value != place.value;
    });
    if (disagree) continue;
    bool again = std::any_of(found.knobs.begin(), found.knobs.end(),
                             [&](const DeclaredKnob& k) { return lower(k.name) == lower(place.name); });
    if (again || found.knobs.size() == most_found || !number_at(place)) continue;
    std::vector<double> values = usual_values(place, least);
    if (values.size() < 2) continue;
    found.knobs.push_back(
        {place.name, std::move(values), file + ":" + std::to_string(place.line) + ": " + place.kind});
  }
  found.rules = rules_of_cutedsl(found.knobs);
  return found;
}

}  // namespace explog
