#include "answers/strategies.h"

#include <fmt/format.h>

#include "answers/answer.h"
#include "base/text.h"
#include "model/json.h"

namespace explog::answers {
namespace {

std::string strategy_json(const Strategy& s) {
  JsonWriter json;
  json.begin_object();
  for (auto [key, text] : {std::pair("id", &s.id),
                           {"title", &s.title},
                           {"category", &s.category},
                           {"min_arch", &s.min_arch},
                           {"max_arch", &s.max_arch}}) {
    if (!text->empty()) json.field(key, *text);
  }
  for (auto [key, texts] : {std::pair("aliases", &s.aliases),
                            {"backends", &s.backends},
                            {"families", &s.families},
                            {"bottlenecks", &s.bottlenecks},
                            {"requires", &s.requirements},
                            {"conflicts", &s.conflicts},
                            {"source_patterns", &s.source_patterns}}) {
    json.field(key, *texts);
  }
  json.key("signals");
  json.begin_array();
  for (const Signal& signal : s.signals) {
    json.begin_object();
    json.field("metric", signal.metric);
    json.field("op", signal.op);
    json.field("value", signal.value);
    json.end_object();
  }
  json.end_array();
  json.key("params");
  json.begin_object();
  for (const auto& [knob, values] : s.params) json.key(knob), json.raw(values);
  json.end_object();
  json.key("prior");
  json.begin_object();
  json.field("success", s.prior.success);
  json.field("speedup_lo", s.prior.speedup_lo);
  json.field("speedup_hi", s.prior.speedup_hi);
  json.field("source", s.prior.source);
  json.end_object();
  json.field("prose", Playbook::prose(s));
  json.end_object();
  return json.take();
}

void print_strategy(const Terminal& terminal, const Strategy& s) {
  std::ostream& out = terminal.out;
  auto line = [&](const char* name, const std::string& text) {
    if (!text.empty()) out << fmt::format("  {:<12} {}\n", name, text);
  };
  out << terminal.bold(s.id) << "  " << s.title << '\n';
  line("category", s.category);
  line("backends", join(s.backends, ", "));
  line("families", s.families.empty() ? "any" : join(s.families, ", "));
  line("bottlenecks", s.bottlenecks.empty() ? "any" : join(s.bottlenecks, ", "));
  line("arch", s.min_arch.empty() && s.max_arch.empty() ? ""
                                                        : (s.min_arch.empty() ? "any" : s.min_arch) + " to " +
                                                              (s.max_arch.empty() ? "newest" : s.max_arch));
  line("requires", join(s.requirements, ", "));
  line("conflicts", join(s.conflicts, ", "));
  line("also called", join(s.aliases, ", "));
  for (const Signal& signal : s.signals)
    line("signal", fmt::format("{} {} {}", signal.metric, signal.op, number_text(signal.value)));
  line("prior",
       fmt::format("helps with P = {}, then {}x to {}x ({})", number_text(s.prior.success),
                   number_text(s.prior.speedup_lo), number_text(s.prior.speedup_hi), s.prior.source));
  out << '\n' << trim(Playbook::prose(s)) << '\n';
}

}  // namespace

void print_families(const Terminal& terminal, Format format, const std::vector<std::string>& families) {
  RowPrinter printer(terminal, format);
  printer.header({"family"});
  for (const std::string& family : families) printer.row({family});
  printer.finish();
}

void print_strategy_table(const Terminal& terminal, Format format, const std::vector<Strategy>& strategies) {
  RowPrinter printer(terminal, format);
  printer.show_whole({"id", "gain"});
  printer.can_miss({"bottlenecks", "families", "backends", "category"});
  printer.header({"id", "category", "backends", "families", "bottlenecks", "prior", "gain", "title"});
  for (const Strategy& s : strategies) {
    printer.row({s.id, s.category, join(s.backends, ","), s.families.empty() ? "any" : join(s.families, ","),
                 s.bottlenecks.empty() ? "any" : join(s.bottlenecks, ","), s.prior.success,
                 fmt::format("{}-{}x", number_text(s.prior.speedup_lo), number_text(s.prior.speedup_hi)),
                 s.title});
  }
  printer.finish();
}

std::string strategies_json(const std::vector<Strategy>& strategies) {
  JsonWriter json;
  begin_answer(json);
  json.key("strategies");
  json.begin_array();
  for (const Strategy& s : strategies) json.raw(strategy_json(s));
  json.end_array();
  json.end_object();
  return json.take();
}

void print_strategies(const Terminal& terminal, const std::vector<Strategy>& strategies) {
  for (const Strategy& s : strategies) {
    if (&s != strategies.data()) terminal.out << '\n';
    print_strategy(terminal, s);
  }
}

std::string playbook_check_json(const app::PlaybookCheck& check) {
  JsonWriter json;
  begin_answer(json);
  json.field("files", check.files);
  json.field("faults", check.faults);
  json.end_object();
  return json.take();
}

void print_playbook_check(const Terminal& terminal, const app::PlaybookCheck& check) {
  for (const std::string& fault : check.faults) terminal.out << printable(fault) << '\n';
  terminal.out << fmt::format("{} strategies checked, {} faults\n", check.files, check.faults.size());
}

}  // namespace explog::answers
