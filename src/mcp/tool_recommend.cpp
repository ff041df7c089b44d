#include <fmt/format.h>

#include <functional>

#include "answers/inferred.h"
#include "answers/recommendation.h"
#include "app/advice/advise.h"
#include "app/advice/recommend.h"
#include "base/text.h"
#include "mcp/tool.h"
#include "model/vocabulary.h"

namespace explog::mcp {
namespace {

constexpr std::size_t advice_budget = 6144;
constexpr const char* inline_source = "source";  // the name under which a source that was sent is read

std::vector<std::string> backend_words() { return words(Vocabulary::backend); }
std::vector<std::string> bottleneck_words() { return words(Vocabulary::bottleneck); }

Facts facts_of(const Json& arguments, const char* name) {
  Facts facts;
  if (auto given = arguments.find(name); given != arguments.end()) {
    for (const auto& [key, value] : given->items()) add_named(facts, key, value.get<double>());
  }
  return facts;
}

app::Ask ask_from(const Json& arguments) {
  app::Ask ask;
  ask.kernel = text_of(arguments, "kernel"), ask.backend = text_of(arguments, "backend");
  ask.arch = text_of(arguments, "arch"), ask.bottleneck = text_of(arguments, "bottleneck");
  ask.dtype = text_of(arguments, "dtype"), ask.record = text_of(arguments, "from_record");
  if (arguments.contains("shape")) ask.shape = facts_of(arguments, "shape");
  if (arguments.contains("state")) ask.state = facts_of(arguments, "state");
  ask.metrics = facts_of(arguments, "metrics");
  if (arguments.contains("latency_ms")) ask.latency_ms = number_of(arguments, "latency_ms", 0);
  ask.limit = static_cast<int>(number_of(arguments, "limit", 5));
  return ask;
}

// A line an item: what a model needs to choose; the rest is in the data and behind explog://strategy/ID.
std::string brief(const app::Advice& advice) {
  const recommend::Recommendation& r = advice.ranking;
  const Question& q = advice.question;
  std::string text = fmt::format("{}, {}, {}: {} ({} records of this kind, {} of this backend)\n",
                                 q.kernel_type, q.backend, q.arch, r.status, r.records, r.backend_records);
  for (std::size_t i = 0; i < advice.shown; ++i) {
    const recommend::Item& item = r.items[i];
    text += fmt::format("{}. {}: P = {:.2f}, then about {:.2f}x; {} of {} runs helped{}; first: {}\n", i + 1,
                        printable(item.strategy), item.p, item.gain, item.counts.success, item.counts.n,
                        item.avoid ? "; KNOWN TO FAIL HERE" : "", ellipsis(printable(item.first_step), 110));
  }
  for (const recommend::Avoid& avoid : r.avoid)
    text += fmt::format("not {}: {}\n", printable(avoid.strategy), ellipsis(printable(avoid.reason), 70));
  return text + "Recipe of each: resource explog://strategy/ID\n";
}

// As many items as fit.
Answer within_budget(app::Advice& advice, const std::function<std::string()>& data) {
  for (;;) {
    Answer answer{data(), brief(advice)};
    bool fits = answer.data.size() + answer.text.size() + 600 < advice_budget;
    if (fits || advice.shown <= 1) return answer;
    --advice.shown;
  }
}

}  // namespace

std::vector<Parameter> recommend_parameters() {
  return {{"kernel", Kind::text, "kind of kernel: softmax, gemm, ...; without it source tells", false, 0, 80},
          {"backend", Kind::text, "how it is written", false, 0, 0, backend_words},
          {"arch", Kind::text, "sm_90, or a card: H100", false, 0, 80},
          {"bottleneck", Kind::text, "what bounds it", false, 0, 0, bottleneck_words},
          {"dtype", Kind::text, "element type: f32, bf16", false, 0, 40},
          {"shape", Kind::numbers, "problem size: {\"N\":4096}"},
          {"latency_ms", Kind::number, "how long it takes now"},
          {"state", Kind::numbers, "facts of the kernel: {\"block_x\":128}"},
          {"metrics", Kind::numbers, "Nsight Compute metrics by name"},
          {"source", Kind::text, "the kernel's source: what is left open is read from it", false, 0, 262144},
          {"from_record", Kind::text, "id of a record to continue from", false, 0, 40},
          {"limit", Kind::whole, "at most this many; 5 without it", false, 1, 30}};
}

Answer run_recommend(const Json& arguments, Call& call) {
  app::Ask ask = ask_from(arguments);
  if (!arguments.contains("source")) {
    app::Advice advice = app::recommend_for(ask, call.session);
    return within_budget(advice, [&] { return answers::advice_json(advice, false); });
  }
  ask.source = inline_source;
  call.session.read = [sent = text_of(arguments, "source")](const std::string&) { return sent; };
  app::SourceAdvice found = app::advise(ask, call.session);
  return within_budget(found.advice, [&] {
    return answers::with_inferred(answers::advice_json(found.advice, false), found.inferred);
  });
}

}  // namespace explog::mcp
