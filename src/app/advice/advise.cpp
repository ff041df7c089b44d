#include "app/advice/advise.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "bench/harness/gpus.h"
#include "intake/included_parts.h"
#include "model/arch.h"
#include "model/kernel_type.h"
#include "model/vocabulary.h"

namespace explog::app {
namespace {

// Fills what the user left open; where both speak the user wins, and it is remembered.
void settle(std::string& asked, const std::string& found, const std::string& asked_word, const char* flag,
            Inferred& inferred) {
  if (asked.empty()) {
    asked = found;
  } else if (!found.empty() && asked_word != found) {
    inferred.overruled.push_back(
        fmt::format("{} {}, the source looks like {}", flag, printable(asked), found));
  }
}

// A source that is for both is CUDA where it is asked about for a card of NVIDIA.
void settle_backend(const Ask& ask, intake::SourceFacts& facts) {
  auto arch = canonical_arch(ask.arch);
  if (facts.backend == "hip" && ask.backend.empty() && arch && arch->starts_with("sm_"))
    facts.backend = "cuda";
}

void settle_kernel(Ask& ask, Inferred& inferred) {
  settle_backend(ask, inferred.facts);
  const intake::SourceFacts& facts = inferred.facts;
  if (!facts.is_kernel() && (ask.kernel.empty() || ask.backend.empty()))
    throw Error(Exit::usage,
                printable(inferred.file) + ": no kernel found: neither CUDA, Triton, cuTile nor CuTe DSL",
                "name the file that holds the kernel itself");
  settle(ask.kernel, facts.kernel_type, canonical_kernel_type(ask.kernel), "--kernel", inferred);
  if (ask.kernel.empty()) {
    ask.kernel = inferred.facts.kernel_type = "other";
    inferred.facts.type_reason =
        "its type cannot be told; --kernel gemm, softmax, reduction, ... lets records speak";
  }
  settle(ask.backend, facts.backend, canonical(Vocabulary::backend, ask.backend).value_or(""), "--backend",
         inferred);
  settle(ask.dtype, facts.dtype, canonical(Vocabulary::dtype, ask.dtype).value_or(""), "--dtype", inferred);
}

// The GPU of this machine, else the oldest arch that the source runs on.
void settle_arch(Ask& ask, Inferred& inferred) {
  if (!ask.arch.empty() || !ask.ncu.empty()) return;
  try {
    for (const bench::Gpu& gpu : bench::find_gpus()) {
      if (auto arch = canonical_arch(gpu.arch)) {
        ask.arch = *arch;
        inferred.arch_reason = "the " + gpu.name + " of this machine";
        return;
      }
    }
  } catch (const Error&) {  // there is none here
  }
  ask.arch = inferred.facts.min_arch;
  inferred.arch_reason = "the least that its instructions need; --arch names another";
  if (ask.arch.empty())
    throw Error(Exit::usage, printable(inferred.file) + ": the source does not tell which GPU it is for",
                "say it: --arch H100, --arch 'RTX 4090', --arch sm_90");
}

}  // namespace

SourceAdvice advise(Ask ask, const Session& session) {
  SourceAdvice result;
  Inferred& inferred = result.inferred;
  inferred.file = ask.source;
  const std::string text = session.read(ask.source);
  inferred.facts =
      intake::read_source(text, intake::included_parts(ask.source, intake::code_of(text)), ask.source);
  if (ask.record.empty()) {  // a record tells the rest itself
    settle_kernel(ask, inferred);
    settle_arch(ask, inferred);
    Facts state = ask.state.value_or(Facts());
    for (const auto& [name, value] : intake::state_of(inferred.facts)) add_named(state, name, value);
    if (!state.empty()) ask.state = state;
  }
  Session once = session;  // what was piped in cannot be read again
  once.read = [&](const std::string& path) { return path == ask.source ? text : session.read(path); };
  result.advice = recommend_for(ask, once);
  return result;
}

}  // namespace explog::app
