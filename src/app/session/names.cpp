#include "app/session/names.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "model/arch.h"
#include "model/cards.h"
#include "model/event.h"
#include "store/read.h"

namespace explog::app {

namespace {

[[noreturn]] void refuse_arch(const std::string& text) {
  throw Error(Exit::usage, "--arch: unknown '" + text + "'" + arch_hint(text),
              "for example sm_90 or RTX 4090; `explog query cards` lists the cards");
}

}  // namespace

std::string arch_named(const std::string& text) {
  auto arch = canonical_arch(text);
  if (arch) return *arch;
  if (text == "unknown") return text;  // as records of kernels say that run on no GPU
  refuse_arch(text);
}

std::string arch_to_compile(const std::string& text) {
  if (text.empty()) return text;
  if (auto arch = arch_to_compile_for(text)) return *arch;
  refuse_arch(text);
}

std::string word_of(Vocabulary vocabulary, const std::string& text, const char* flag) {
  auto word = canonical(vocabulary, text);
  if (!word) {
    auto all = words(vocabulary);
    throw Error(Exit::usage,
                fmt::format("{}: unknown '{}'{}", flag, printable(text), did_you_mean(text, all)),
                "one of: " + join(all, ", "));
  }
  return *word;
}

std::string card_named(const std::string& text, const Session& session) {
  auto fitting = cards_named(text);
  if (fitting.empty()) return "";
  if (fitting.size() > 1) {
    std::vector<std::string> others;
    for (std::size_t i = 1; i < fitting.size() && i < 4; ++i) others.emplace_back(fitting[i]->name);
    session.warn(fmt::format("{} taken as {}, not {}", text, fitting[0]->name, join(others, " or ")));
  }
  return std::string(fitting[0]->name);
}

Experience experience_named(const std::string& id, sql::Db& db) {
  store::Record record = store::load(db, store::resolve(db, id));
  auto kind = static_cast<Kind>(record.kind);
  if (kind == Kind::experience) return parse_experience(record.body);
  throw Error(
      Exit::usage,
      "'" + id + "' is not an experience but a log entry of kind '" + std::string(kind_name(kind)) + "'",
      "`explog list` shows experiences");
}

}  // namespace explog::app
