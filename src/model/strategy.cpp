#include "model/strategy.h"

#include <re2/re2.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "base/text.h"
#include "model/arch.h"
#include "model/json.h"
#include "model/kernel_type.h"
#include "model/vocabulary.h"

namespace explog {
namespace {

bool among(const std::vector<std::string>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::string text_of(const Json& head, const char* key, bool required) {
  auto it = head.find(key);
  if (it == head.end()) return required ? (bad(std::string("\"") + key + "\" is missing"), "") : "";
  if (!it->is_string()) bad(std::string("\"") + key + "\" must be text");
  return it->get<std::string>();
}

std::vector<std::string> list_of(const Json& head, const char* key) {
  std::vector<std::string> list;
  auto it = head.find(key);
  if (it == head.end()) return list;
  if (!it->is_array()) bad(std::string("\"") + key + "\" must be a list");
  for (const Json& entry : *it) {
    if (!entry.is_string()) bad(std::string("\"") + key + "\" must hold text only");
    list.push_back(entry.get<std::string>());
  }
  return list;
}

void check_words(const std::vector<std::string>& list, const std::vector<std::string>& allowed,
                 const char* key) {
  for (const std::string& word : list) {
    if (!among(allowed, word))
      bad(std::string("\"") + key + "\": unknown '" + word + "'" + did_you_mean(word, allowed));
  }
}

void check_requirement(const std::string& token) {
  bool dtype =
      token.rfind("dtype:", 0) == 0 && canonical(Vocabulary::dtype, token.substr(6)) == token.substr(6);
  std::vector<std::string> known = known_features();
  known.emplace_back("source");  // one of the source patterns, where the source is known
  if (!dtype && !among(known, token))
    bad("\"requires\": unknown '" + token + "'" + did_you_mean(token, known));
}

void check_arch(const std::string& arch, const char* key) {
  if (!arch.empty() && canonical_arch(arch) != arch)
    bad(std::string("\"") + key + "\": '" + arch + "' is not of the form sm_NN");
}

Signal signal_of(const Json& j) {
  Signal s;
  if (!j.is_object() || j.size() != 3) bad("\"signals\": each needs metric, op and value");
  s.metric = text_of(j, "metric", true);
  s.op = text_of(j, "op", true);
  if (!among({">", ">=", "<", "<=", "==", "!="}, s.op)) bad("\"signals\": unknown op '" + s.op + "'");
  if (!j.contains("value") || !j["value"].is_number()) bad("\"signals\": value must be a number");
  s.value = j["value"].get<double>();
  return s;
}

std::vector<Signal> signals_of(const Json& head, const char* key) {
  std::vector<Signal> list;
  auto it = head.find(key);
  if (it == head.end()) return list;
  if (!it->is_array()) bad(std::string("\"") + key + "\" must be a list");
  for (const Json& j : *it) list.push_back(signal_of(j));
  return list;
}

bool flag_of(const Json& head, const char* key) {
  auto it = head.find(key);
  if (it == head.end()) return false;
  if (!it->is_boolean()) bad(std::string("\"") + key + "\" must be true or false");
  return it->get<bool>();
}

// A file may say `after:ID` among what it requires.
void move_after(Strategy& s) {
  std::erase_if(s.requirements, [&](const std::string& token) {
    bool after = token.starts_with("after:") && token.size() > 6;
    if (after) s.after.push_back(token.substr(6));
    return after;
  });
}

void check_patterns(const std::vector<std::string>& patterns, const char* key) {
  for (const std::string& pattern : patterns) {
    RE2::Options quiet;
    quiet.set_log_errors(false);
    RE2 re(pattern, quiet);
    if (!re.ok()) bad(std::string("\"") + key + "\": '" + pattern + "': " + re.error());
  }
}

Prior prior_of(const Json& head) {
  if (!head.contains("prior") || !head["prior"].is_object()) bad("\"prior\" is missing");
  const Json& j = head["prior"];
  Prior prior;
  for (auto [key, field] : {std::pair("success", &prior.success),
                            {"speedup_lo", &prior.speedup_lo},
                            {"speedup_hi", &prior.speedup_hi}}) {
    if (!j.contains(key) || !j[key].is_number()) bad(std::string("\"prior.") + key + "\" must be a number");
    *field = j[key].get<double>();
  }
  prior.source = text_of(j, "source", true);
  if (j.size() != 4) bad("\"prior\" has an unknown key");
  if (prior.success <= 0 || prior.success >= 1) bad("\"prior.success\" must lie between 0 and 1");
  if (prior.speedup_lo < 1 || prior.speedup_hi < prior.speedup_lo)
    bad("\"prior\": needs 1 <= speedup_lo <= speedup_hi");
  return prior;
}

void check_prose(std::string_view prose) {
  size_t from = 0;
  for (const char* heading :
       {"\n## When\n", "\n## Steps\n", "\n## Before and after\n", "\n## Falsify cheaply\n", "\n## Risks\n"}) {
    size_t at = prose.find(heading, from);
    if (at == std::string_view::npos)
      bad("the prose lacks the heading '" + std::string(trim(heading)) + "', or it is out of order");
    size_t next = prose.find("\n## ", at + 1);
    if (trim(
            prose.substr(at + std::string_view(heading).size(), next - at - std::string_view(heading).size()))
            .empty()) {
      bad("nothing under '" + std::string(trim(heading)) + "'");
    }
    from = at;
  }
}

void check_name(const Strategy& s, std::string_view file_name) {
  static const RE2 form("[a-z0-9_]+(:(up|down|on|off))?");
  if (!RE2::FullMatch(s.id, form)) bad("\"id\" must be [a-z0-9_]+ with :up, :down, :on or :off for a move");
  if (replace_all(s.id, ":", ".") + ".md" != file_name)
    bad("\"id\" '" + s.id + "' does not fit the file name");
  if (s.title.empty() || display_width(s.title) > 72) bad("\"title\" must have 1 to 72 characters");
}

void check_fields(const Strategy& s, std::string_view file_name) {
  check_name(s, file_name);
  check_words({s.category}, words(Vocabulary::category), "category");
  if (s.backends.empty()) bad("\"backends\" is empty");
  check_words(s.backends, words_but(Vocabulary::backend, word(RecordBackend::other)), "backends");
  check_words(s.families, known_families(), "families");
  check_words(s.bottlenecks, words_but(Vocabulary::bottleneck, word(Bottleneck::unknown)), "bottlenecks");
  check_arch(s.min_arch, "min_arch");
  check_arch(s.max_arch, "max_arch");
  for (const std::string& token : s.requirements) check_requirement(token);
  check_words(s.dtypes, words(Vocabulary::dtype), "dtypes");
  check_patterns(s.source_patterns, "source_patterns");
  check_patterns(s.done_patterns, "done_patterns");
  if (among(s.after, s.id)) bad("\"after\" names the strategy itself");
  if (among(s.builds_on, s.id)) bad("\"builds_on\" names the strategy itself");
  if (among(s.replaces, s.id)) bad("\"replaces\" names the strategy itself");
  for (const std::string& older : s.supersedes) {
    if (!among(s.replaces, older)) bad("\"supersedes\" names " + older + ", which \"replaces\" does not");
  }
  for (const std::string& type : s.not_for) {
    if (!is_known_kernel_type(type)) bad("\"not_for\": " + type + " is no kernel type");
  }
}

}  // namespace

bool Signal::holds(double measured) const {
  if (op == ">") return measured > value;
  if (op == ">=") return measured >= value;
  if (op == "<") return measured < value;
  if (op == "<=") return measured <= value;
  return op == "==" ? measured == value : measured != value;
}

Strategy parse_strategy(std::string_view file_name, std::string_view text) {
  if (text.substr(0, 4) != "---\n") bad("the file must begin with a line '---'");
  size_t end = text.find("\n---\n", 3);
  if (end == std::string_view::npos) bad("the head has no closing '---' line");
  Json head = parse_json(text.substr(4, end - 3));
  if (!head.is_object()) bad("the head must be a JSON object");
  refuse_other_format(head, strategy_format);
  static const std::vector<std::string> keys = {
      "format",        "id",           "aliases",  "title",      "category",  "backends", "families",
      "bottlenecks",   "min_arch",     "max_arch", "requires",   "conflicts", "signals",  "source_patterns",
      "after",         "builds_on",    "replaces", "supersedes", "not_for",   "dtypes",   "done_when",
      "done_patterns", "needs_signal", "params",   "prior"};
  for (const auto& [key, value] : head.items()) {
    if (!among(keys, key)) bad("unknown key \"" + key + "\"" + did_you_mean(key, keys));
  }
  if (!head.contains("format") || head["format"] != strategy_format) bad("\"format\" must be 1");
  Strategy s;
  s.id = text_of(head, "id", true);
  s.title = text_of(head, "title", true);
  s.category = text_of(head, "category", true);
  s.min_arch = text_of(head, "min_arch", false);
  s.max_arch = text_of(head, "max_arch", false);
  s.aliases = list_of(head, "aliases");
  s.backends = list_of(head, "backends");
  s.families = list_of(head, "families");
  s.bottlenecks = list_of(head, "bottlenecks");
  s.requirements = list_of(head, "requires");
  s.conflicts = list_of(head, "conflicts");
  s.source_patterns = list_of(head, "source_patterns");
  s.after = list_of(head, "after");
  move_after(s);
  s.builds_on = list_of(head, "builds_on");
  s.replaces = list_of(head, "replaces");
  s.supersedes = list_of(head, "supersedes");
  s.not_for = list_of(head, "not_for");
  s.dtypes = list_of(head, "dtypes");
  s.done_patterns = list_of(head, "done_patterns");
  s.signals = signals_of(head, "signals");
  s.done_when = signals_of(head, "done_when");
  s.needs_signal = flag_of(head, "needs_signal");
  if (head.contains("params") && !head["params"].is_object()) bad("\"params\" must be an object");
  if (head.contains("params")) {
    for (const auto& [knob, values] : head["params"].items()) s.params[knob] = values.dump();
  }
  s.prior = prior_of(head);
  s.prose = text.substr(end + 5);
  check_fields(s, file_name);
  check_prose("\n" + s.prose);
  return s;
}

}  // namespace explog
