#include "app/advice/recommend.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "app/advice/reliability.h"
#include "app/records/kept_code.h"
#include "app/records/profiles.h"
#include "app/session/names.h"
#include "base/error.h"
#include "base/text.h"
#include "intake/included_parts.h"
#include "intake/source_facts.h"
#include "intake/source_work.h"
#include "model/arch.h"
#include "model/kernel_type.h"
#include "model/recipe.h"
#include "model/vocabulary.h"
#include "store/read.h"

namespace explog::app {
namespace {

StartingPoint starting_point(const Ask& ask, const Session& session, sql::Db& db) {
  StartingPoint known;
  if (!ask.record.empty()) {
    known.record = experience_named(ask.record, db);
    // The next attempt starts from what was kept.
    bool kept = known.record.decision == "keep" ||
                (known.record.decision.empty() && known.record.outcome == "success");
    const Facts& metrics = kept ? known.record.metrics_after : known.record.metrics_before;
    if (!metrics.empty())
      known.launch = launch_of(metrics, known.record.kernel, known.record.arch, known.record.gpu);
    if (kept) put_code_after(known.record, session);
    if (kept) {  // both were the kernel's before the change
      known.record.bottleneck.clear();
      known.record.latency_before_ms = known.record.latency_after_ms;
    }
  }
  if (!ask.ncu.empty()) {
    intake::NcuFile file = read_profile(ask.ncu, session);
    known.launch = main_kernel(file, ask.kernel_name, ask.ncu, session);
  }
  if (ask.launch) known.launch = ask.launch;
  if (known.launch) known.diagnosis = subject_of(*known.launch, "", {}, db).diagnosis;
  return known;
}

void required(const std::string& value, const char* flag) {
  if (value.empty())
    throw Error(Exit::usage, "recommend: " + std::string(flag) + " is required", "explog recommend --help");
}

// A number that no GPU has is taken all the same: there may be newer ones.
void tell_odd_arch(const std::string& arch, const Session& session) {
  auto archs = known_archs();
  if (!arch.starts_with("sm_") || std::find(archs.begin(), archs.end(), arch) != archs.end()) return;
  session.warn("explog knows no arch " + arch + ": what it can do is guessed from its number" +
               did_you_mean(arch, archs));
}

// A metric that nothing reads, though one of nearly this name is read, changes no answer and should not pass for one.
void tell_misspelt_metrics(const Facts& metrics, const Playbook& playbook, const Session& session) {
  if (metrics.empty()) return;
  std::set<std::string> read;
  for (const Strategy& s : playbook.all()) {
    for (const auto* list : {&s.signals, &s.done_when}) {
      for (const Signal& signal : *list) read.insert(signal.metric);
    }
  }
  const std::vector<std::string> names(read.begin(), read.end());
  for (const auto& [name, value] : metrics) {
    std::string near = read.contains(name) ? "" : did_you_mean(name, names);
    if (!near.empty()) session.warn("--metrics: no signal of the playbook reads '" + name + "'" + near);
  }
}

// What is given wins over what the profile says; where they differ the user is told.
std::string bottleneck_of(const Ask& ask, const StartingPoint& known, const Session& session) {
  std::string found = known.launch ? known.diagnosis.label.word : known.record.bottleneck;
  if (ask.bottleneck.empty()) return found.empty() ? "unknown" : found;
  std::string given = word_of(Vocabulary::bottleneck, ask.bottleneck, "--bottleneck");
  if (known.launch && found != given && found != "unknown" && given != "unknown")
    session.warn("--bottleneck says " + given + ", the profile " + found + ": " + known.diagnosis.label.why);
  return given;
}

Question question_of(const Ask& ask, const StartingPoint& known, const Session& session, sql::Db& db) {
  Question c;
  const std::string kernel = ask.kernel.empty() ? known.record.kernel_type : ask.kernel;
  const std::string backend = ask.backend.empty() ? known.record.backend : ask.backend;
  std::string arch_text = ask.arch.empty() ? known.record.arch : ask.arch;
  if (arch_text.empty() && known.launch) arch_text = known.launch->arch;
  required(kernel, "--kernel");
  required(backend, "--backend");
  required(arch_text, "--arch");
  c.kernel_type = canonical_kernel_type(kernel);
  c.family = family_of(c.kernel_type);
  auto types = known_kernel_types();
  if (!is_known_kernel_type(c.kernel_type) && !store::has_family(db, c.family)) {
    session.warn("kernel type '" + kernel + "' is not known: taken as a family of its own, without records" +
                 did_you_mean(c.kernel_type, types));
  }
  c.backend = word_of(Vocabulary::backend, backend, "--backend");
  c.arch = arch_named(arch_text);
  tell_odd_arch(c.arch, session);
  c.bottleneck = bottleneck_of(ask, known, session);
  c.dtype = ask.dtype.empty() ? known.record.dtype : word_of(Vocabulary::dtype, ask.dtype, "--dtype");
  c.shape = ask.shape.value_or(known.record.shape);
  c.state = ask.state.value_or(known.record.state);
  c.latency_ms = ask.latency_ms ? ask.latency_ms : known.record.latency_before_ms;
  c.metrics = ask.metrics;
  if (known.launch) {
    for (const auto& [name, value] : record_metrics(*known.launch)) {
      if (!fact(c.metrics, name)) c.metrics.emplace_back(name, value);
    }
    if (auto ns = fact(c.metrics, "gpu__time_duration.sum"); ns && !c.latency_ms) c.latency_ms = *ns / 1e6;
    if (known.diagnosis.roofline) c.reached = std::min(1.0, known.diagnosis.roofline->reached);
  }
  if (!ask.source.empty()) {
    c.source = intake::code_of(session.read(ask.source));
    c.source += intake::included_parts(ask.source, c.source);
    c.shown = intake::what_is_shown(c.source);
  }
  return c;
}

// Names that only unreviewed origins use are a stranger's text: they are counted, not shown.
FamilyEvidence shown_evidence(sql::Db& db, const std::string& family, const Playbook& playbook) {
  FamilyEvidence evidence = store::evidence(db, family);
  std::set<std::string_view> reviewed;
  const Setting* last = nullptr;
  for (const EvidenceRow& row : evidence.rows) {
    if (row.setting == last || !row.by->reviewed) continue;
    last = row.setting;
    reviewed.insert(last->strategy);
  }
  std::vector<bool> shown;
  for (const Setting& s : evidence.settings())
    shown.push_back(reviewed.contains(s.strategy) || playbook.find(s.strategy) != nullptr);
  if (std::find(shown.begin(), shown.end(), false) != shown.end())
    std::erase_if(evidence.rows, [&](const EvidenceRow& row) { return !shown[row.setting->number]; });
  return evidence;
}

void put_to_explore(std::vector<recommend::Item>& items, std::size_t shown) {
  auto pick = shown > 0 ? recommend::to_explore(items, shown - 1) : std::nullopt;
  if (!pick) return;
  auto at = items.begin() + static_cast<std::ptrdiff_t>(shown) - 1;
  auto picked = items.begin() + static_cast<std::ptrdiff_t>(*pick);
  std::rotate(at, picked, picked + 1);
  at->reasons.insert(at->reasons.begin(), "chosen to explore: hardly tried here, and it may help");
}

// A sentence that does not fit is given whole all the same: half a test falsifies nothing.
std::string whole_sentence(std::string (*part)(std::string_view, std::size_t), std::string_view prose) {
  constexpr std::size_t usual = 160, longest = 400;
  std::string text = part(prose, usual);
  return text.ends_with("...") ? part(prose, longest) : text;
}

// What only the playbook's prose knows.
void fill_recipe(recommend::Item& item, const Playbook& playbook) {
  const Strategy* known = playbook.find(item.strategy);
  if (known == nullptr) return;
  std::string prose = Playbook::prose(*known);
  item.first_step = whole_sentence(first_step, prose);
  item.falsifier = whole_sentence(falsifier, prose);
}

// The ids of the records that items shown and failures name, which only the store knows: asked for at once.
void fill_ids(Advice& advice, sql::Db& db) {
  std::vector<std::int64_t> rids;
  auto shown = std::span(advice.ranking.items).first(advice.shown);
  for (const recommend::Item& item : shown) rids.insert(rids.end(), item.rids.begin(), item.rids.end());
  for (const recommend::Avoid& a : advice.ranking.avoid)
    rids.insert(rids.end(), a.rids.begin(), a.rids.end());
  std::vector<std::string> ids = store::short_ids_of(db, rids);
  auto next = ids.begin();
  auto take = [&](std::size_t count) {
    auto begin = std::exchange(next, next + static_cast<std::ptrdiff_t>(count));
    return std::vector<std::string>(begin, next);
  };
  for (recommend::Item& item : shown) item.ids = take(item.rids.size());
  for (recommend::Avoid& avoid : advice.ranking.avoid) avoid.ids = take(avoid.rids.size());
}

}  // namespace

Advice recommend_for(const Ask& ask, const Session& session) {
  sql::Db db = session.reader();
  store::begin_reading(db);
  Advice advice;
  advice.start = starting_point(ask, session, db);
  const Question& question = advice.question = question_of(ask, advice.start, session, db);
  Playbook playbook = session.playbook();
  tell_misspelt_metrics(ask.metrics, playbook, session);
  recommend::Recommendation& ranking = advice.ranking = recommend::rank(
      question, shown_evidence(db, question.family, playbook), playbook, ask.order, kept_recalibration(db));
  std::size_t all = ranking.items.size();
  advice.shown = ask.limit == 0 ? all : std::min(all, static_cast<std::size_t>(ask.limit));
  if (ask.explore) put_to_explore(ranking.items, advice.shown);
  for (std::size_t i = 0; i < advice.shown; ++i) fill_recipe(ranking.items[i], playbook);
  fill_ids(advice, db);
  return advice;
}

bool is_an_answer(const Advice& advice) {
  bool misspelt = advice.ranking.status == "unknown_kernel" &&
                  nearest(advice.question.kernel_type, known_kernel_types()).has_value();
  return !advice.ranking.items.empty() && !misspelt;
}

}  // namespace explog::app
