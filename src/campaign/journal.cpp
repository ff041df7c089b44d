#include "campaign/journal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "model/json.h"

namespace explog::campaign {
namespace {

// In the order of the variant.
constexpr std::array<std::string_view, 11> kinds = {"start",  "propose",   "judge",    "verdict",
                                                    "decide", "interrupt", "note",     "stop",
                                                    "refuse", "profile",   "benchmark"};

// The same list of members serves writing and reading, so that the two cannot differ.
template <class Io>
void members(Io& io, Found& e) {
  io("name", e.name), io("detail", e.detail), io("needed", e.needed), io("there", e.there);
}
template <class Io>
void members(Io& io, Started& e) {
  io("explog", e.explog), io("resumed", e.resumed);
  if (!e.environment.empty() || Io::reads) io("environment", e.environment);
}
template <class Io>
void members(Io& io, Expectation& e) {
  io("metric", e.metric), io("percent", e.percent);
}
template <class Io>
void members(Io& io, Proposed& e) {
  io("v", e.version), io("by", e.by), io("strategy", e.strategy), io("hypothesis", e.hypothesis);
  io("rationale", e.rationale), io("expect", e.expect), io("file", e.file), io("source", e.source);
  io("parent", e.parent);
  if (!e.code.empty() || Io::reads) io("code", e.code);
  if (!e.flags.empty() || Io::reads) io("flags", e.flags);
}
template <class Io>
void members(Io& io, Judging& e) {
  io("v", e.version), io("pid", e.pid);
}
template <class Io>
void members(Io& io, Faster& e) {
  io("factor", e.factor), io("lo", e.lo), io("hi", e.hi);
}
template <class Io>
void members(Io& io, ShapeResult& e) {
  io("shape", e.shape), io("parent_ms", e.parent_ms), io("ms", e.ms), io("faster", e.faster);
  io("roof", e.roof), io("status", e.status);
  if (e.weight != 1 || Io::reads) io("weight", e.weight);
}
template <class Io>
void members(Io& io, CheckedOutput& e) {
  io("name", e.name), io("type", e.type), io("compared", e.compared), io("bad", e.bad);
  io("max_abs", e.max_abs), io("first", e.first);
}
template <class Io>
void members(Io& io, CheckedShape& e) {
  io("shape", e.shape), io("timed", e.timed), io("cases", e.cases), io("max_abs", e.max_abs);
  io("passed", e.passed), io("outputs", e.outputs);
}
template <class Io>
void members(Io& io, Movement& e) {
  io("metric", e.metric), io("said", e.said), io("got", e.got), io("met", e.met);
}
template <class Io>
void members(Io& io, Counter& e) {
  io("name", e.name), io("value", e.value), io("deviation", e.deviation), io("least", e.least);
  io("most", e.most), io("launches", e.launches);
}
template <class Io>
void members(Io& io, Profile& e) {
  io("by", e.by), io("kernel", e.kernel), io("counters", e.counters);
  if (!e.bound.empty() || Io::reads) io("bound", e.bound);
}
template <class Io>
void members(Io& io, Judged& e) {
  io("v", e.version), io("verdict", e.verdict), io("reason", e.reason), io("detail", e.detail);
  io("correct", e.correct), io("ms", e.ms), io("faster", e.faster), io("versus_v0", e.than_baseline);
  io("shapes", e.shapes), io("checked", e.checked), io("expected", e.expected), io("records", e.records);
  io("gpu", e.gpu), io("arch", e.arch), io("driver", e.driver), io("toolkit", e.toolkit),
      io("wall_s", e.wall_s);
  if (!e.profile.by.empty() || Io::reads) io("profile", e.profile);
}
template <class Io>
void members(Io& io, Profiled& e) {
  io("v", e.version), io("profile", e.profile);
}
template <class Io>
void members(Io& io, Benchmarked& e) {
  io("v", e.version), io("with", e.with), io("name", e.name), io("reason", e.reason);
  io("faster", e.faster), io("shapes", e.shapes);
}
template <class Io>
void members(Io& io, Decided& e) {
  io("v", e.version), io("status", e.status), io("champion", e.champion);
}
template <class Io>
void members(Io& io, Interrupted& e) {
  io("v", e.version), io("why", e.why);
}
template <class Io>
void members(Io& io, Note& e) {
  io("by", e.by), io("text", e.text);
}
template <class Io>
void members(Io& io, Stopped& e) {
  io("rule", e.rule), io("sentence", e.sentence), io("champion", e.champion);
}
template <class Io>
void members(Io& io, Refused& e) {
  io("same_as", e.same_as), io("by", e.by), io("strategy", e.strategy), io("hypothesis", e.hypothesis);
  io("source", e.source), io("code", e.code);
}
template <class Io>
void members(Io&, Unknown&) {}

class Write {
 public:
  static constexpr bool reads = false;
  explicit Write(JsonWriter& json) : json_(json) {}
  template <class T>
  void operator()(const char* key, T& value) {
    json_.key(key), put(value);
  }

 private:
  void put(const std::string& text) { json_.text(text); }
  void put(bool value) { json_.boolean(value); }
  void put(double value) { json_.number(value); }
  void put(int value) { json_.number(value); }
  void put(std::int64_t value) { json_.number(static_cast<double>(value)); }
  void put(Decision value) { json_.text(word(value)); }
  template <class T>
  void put(std::vector<T>& list) {
    json_.begin_array();
    for (T& each : list) put(each);
    json_.end_array();
  }
  template <class T>
  requires(std::is_class_v<T> && !std::is_same_v<T, std::string>) void put(T& object) {
    json_.begin_object();
    Write inner(json_);
    members(inner, object);
    json_.end_object();
  }
  JsonWriter& json_;
};

// A key that is not there leaves what it stands for as it is: later versions may leave keys out.
class Read {
 public:
  static constexpr bool reads = true;
  explicit Read(const Json& object) : object_(object) {
    if (!object.is_object()) bad("expected an object");
  }
  template <class T>
  void operator()(const char* key, T& value) {
    auto at = object_.find(key);
    if (at == object_.end()) return;
    if (!take(*at, value)) bad(std::string(key) + ": not what belongs there");
  }

 private:
  static bool take(const Json& json, std::string& text) {
    return json.is_string() && (text = json.get<std::string>(), true);
  }
  static bool take(const Json& json, bool& value) {
    return json.is_boolean() && (value = json.get<bool>(), true);
  }
  template <class Number>
  requires std::is_arithmetic_v<Number>
  static bool take(const Json& json, Number& value) {
    return json.is_number() && (value = json.get<Number>(), true);
  }
  static bool take(const Json& json, Decision& value) {
    for (Decision each : {Decision::keep, Decision::revert, Decision::crash}) {
      if (json.is_string() && json.get<std::string>() == word(each)) return value = each, true;
    }
    return false;
  }
  template <class T>
  static bool take(const Json& json, std::vector<T>& list) {
    if (!json.is_array()) return false;
    for (const Json& each : json) {
      if (!take(each, list.emplace_back())) return false;
    }
    return true;
  }
  template <class T>
  static bool take(const Json& json, T& object) {
    Read inner(json);
    members(inner, object);
    return true;
  }
  const Json& object_;
};

Happening of_kind(const std::string& kind) {
  static const std::array<Happening, kinds.size()> empty = {Started{}, Proposed{},    Judging{},    Judged{},
                                                            Decided{}, Interrupted{}, Note{},       Stopped{},
                                                            Refused{}, Profiled{},    Benchmarked{}};
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (kinds[i] == kind) return empty[i];
  }
  return Unknown{kind};
}

Event event_in(std::string_view line) {
  Json json = parse_json(line);
  Read read(json);
  Event event;
  std::string kind;
  read("n", event.n), read("at", event.at), read("kind", kind);
  event.what = of_kind(kind);
  std::visit([&](auto& e) { members(read, e); }, event.what);
  return event;
}

// Versions are numbered as they are proposed: an event can only speak of one that is there.
class Numbers {
 public:
  void operator()(const Proposed& e) {
    need(e.version >= 0 && e.version <= versions_, "v");
    versions_ = std::max(versions_, e.version + 1);
    need(e.parent >= 0 && e.parent < versions_, "parent");
  }
  void operator()(const Judging& e) { known(e.version, "v"); }
  void operator()(const Judged& e) { known(e.version, "v"); }
  void operator()(const Profiled& e) { known(e.version, "v"); }
  void operator()(const Benchmarked& e) { known(e.version, "v"); }
  void operator()(const Decided& e) { known(e.version, "v"), known(e.champion, "champion"); }
  void operator()(const Interrupted& e) { known(e.version, "v"); }
  void operator()(const Refused& e) { known(e.same_as, "same_as"); }
  void operator()(const Stopped& e) { need(e.champion >= 0 && e.champion <= versions_, "champion"); }
  template <class Other>
  void operator()(const Other&) {}

 private:
  static void need(bool holds, const char* key) {
    if (!holds) bad(std::string(key) + ": there is no such version");
  }
  void known(int version, const char* key) { need(version >= 0 && version < versions_, key); }
  int versions_ = 0;
};

}  // namespace

double over_shapes(const std::vector<ShapeResult>& shapes, double ShapeResult::*figure) {
  double sum = 0, weights = 0;
  for (const ShapeResult& s : shapes) {
    if (s.*figure <= 0) return 0;
    sum += s.weight * std::log(s.*figure), weights += s.weight;
  }
  return weights > 0 ? std::exp(sum / weights) : 0;
}

std::string_view kind_of(const Happening& what) {
  if (auto* unknown = std::get_if<Unknown>(&what)) return unknown->kind;
  return kinds[what.index()];
}

std::string to_line(const Event& event) {
  JsonWriter json;
  json.begin_object();
  json.field("n", event.n);
  json.field("at", event.at);
  json.field("kind", kind_of(event.what));
  Happening what = event.what;
  Write write(json);
  std::visit([&](auto& e) { members(write, e); }, what);
  json.end_object();
  return json.take() + "\n";
}

Journal parse_journal(std::string_view text) {
  Journal journal;
  Numbers numbers;
  for (std::size_t end; (end = text.find('\n', journal.whole)) != std::string_view::npos;) {
    std::string where = "line " + std::to_string(journal.events.size() + 1) + ": ";
    try {
      journal.events.push_back(event_in(text.substr(journal.whole, end - journal.whole)));
      std::visit(numbers, journal.events.back().what);
    } catch (const JsonError& e) {
      bad(where + e.what());
    }
    if (journal.events.back().n != static_cast<int>(journal.events.size()) - 1)
      bad(where + "events are missing");
    journal.whole = end + 1;
  }
  return journal;
}

}  // namespace explog::campaign
