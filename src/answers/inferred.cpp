#include "answers/inferred.h"

#include <fmt/format.h>

#include "base/text.h"
#include "model/json.h"

namespace explog::answers {
namespace {

std::string knob_text(const intake::SourceKnob& knob) {
  std::string text;
  for (double value : knob.values) text += (text.empty() ? "" : "|") + number_text(value);
  return printable(knob.name) + "=" + text;
}

}  // namespace

void print_inferred(const Terminal& terminal, const app::Inferred& inferred, const Question& question) {
  const intake::SourceFacts& facts = inferred.facts;
  std::ostream& out = terminal.out;
  std::string what = question.kernel_type + ", " + question.backend;
  if (!question.dtype.empty()) what += ", " + question.dtype;
  out << fmt::format("{}: {}", printable(inferred.file), what);
  if (!facts.type_reason.empty() && facts.kernel_type == question.kernel_type)
    out << " (" << printable(facts.type_reason) << ")";
  out << '\n';
  if (!inferred.arch_reason.empty())
    out << "  arch: " << question.arch << ", " << inferred.arch_reason << '\n';
  std::string knobs;
  for (const intake::SourceKnob& knob : facts.knobs) knobs += (knobs.empty() ? "" : ", ") + knob_text(knob);
  if (!knobs.empty()) out << "  constants: " << knobs << '\n';
  if (!facts.done.empty()) out << "  already there: " << join(facts.done, ", ") << '\n';
  for (const std::string& line : inferred.overruled) out << "  you say " << line << '\n';
  out << '\n';
}

std::string with_inferred(const std::string& answer, const app::Inferred& inferred) {
  const intake::SourceFacts& facts = inferred.facts;
  JsonWriter json;
  json.begin_object();
  json.field("file", inferred.file);
  json.field("kernel_type", facts.kernel_type);
  json.field("reason", facts.type_reason);
  json.field("backend", facts.backend);
  json.field("dtype", facts.dtype);
  json.field("min_arch", facts.min_arch);
  json.field("arch_reason", inferred.arch_reason);
  json.field("kernels", facts.kernels);
  json.key("knobs");
  json.begin_object();
  for (const intake::SourceKnob& knob : facts.knobs) {
    json.key(knob.name);
    json.begin_array();
    for (double value : knob.values) json.number(value);
    json.end_array();
  }
  json.end_object();
  json.field("already_there", facts.done);
  json.field("overruled", inferred.overruled);
  json.end_object();
  return answer.substr(0, answer.size() - 1) + ",\"inferred\":" + json.take() + "}";
}

}  // namespace explog::answers
