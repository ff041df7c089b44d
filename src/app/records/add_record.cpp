#include "app/records/add_record.h"

#include <utility>

#include "app/records/profiles.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "intake/explog_jsonl.h"
#include "model/arch.h"
#include "model/kernel_type.h"
#include "model/strategy_words.h"
#include "model/vocabulary.h"

namespace explog::app {
namespace {

// The time that a profile gives is used where the user gives none, and the user is told whose it is.
void add_time(std::optional<double>& latency_ms, const Launch& launch, const std::string& path,
              const Session& session) {
  auto ns = metric(launch, "gpu__time_duration.sum");
  if (!ns || latency_ms) return;
  latency_ms = *ns * 1e-6;
  session.warn(path + ": the time is Nsight Compute's, whose clock control and replay change it");
}

void add_profiles(Experience& e, const RecordProfiles& profiles, const Session& session) {
  sql::Db db = session.reader();
  for (const char* role : {"before", "after"}) {
    bool before = std::string_view(role) == "before";
    const std::string& path = before ? profiles.before : profiles.after;
    if (path.empty()) continue;
    intake::NcuFile file = read_profile(path, session);
    const Launch& launch = main_kernel(file, profiles.kernel_name, path, session);
    add_profile(e, subject_of(launch, role, {}, db));
    add_time(before ? e.latency_before_ms : e.latency_after_ms, launch, path, session);
  }
}

// A card that is of another arch than the record says.
std::string odd_card(const Experience& e) {
  auto said = canonical_arch(e.arch), card = canonical_arch(e.gpu);
  if (!said || !card || *said == *card) return "";
  return "the card '" + printable(e.gpu) + "' is " + *card + ", not " + *said;
}

}  // namespace

std::vector<std::string> unknown_names(const Experience& e, const Playbook& playbook) {
  std::vector<std::string> remarks;
  std::string type = canonical_kernel_type(e.kernel_type);
  auto types = known_kernel_types();
  if (!is_known_kernel_type(type) && nearest(type, types))
    remarks.push_back("kernel type '" + printable(type) + "' is new" + did_you_mean(type, types));
  const std::string name = canonical_strategy(e.strategy);
  if (name.empty() || playbook.find(name) != nullptr) return remarks;
  StrategyReader reader(playbook);
  if (reader.read(e.strategy, canonical(Vocabulary::backend, e.backend).value_or(""))) return remarks;
  std::string hint = did_you_mean(e.strategy, playbook.names());
  auto near = hint.empty() ? reader.nearest(e.strategy, 3) : std::vector<std::string>{};
  if (!near.empty()) hint = " (nearest: " + join(near, ", ") + ")";
  remarks.push_back("strategy '" + printable(e.strategy) + "' is not in the playbook" + hint);
  return remarks;
}

Ingested add_record(Experience e, const RecordProfiles& profiles, const AddOptions& options,
                    const Session& session) {
  if (profiles.any()) add_profiles(e, profiles, session);
  if (e.arch.empty() && !e.gpu.empty() && !canonical_arch(e.gpu)) {
    throw Error(
        Exit::usage,
        "add: --arch is missing, and --gpu '" + printable(e.gpu) + "' does not tell it" + arch_hint(e.gpu),
        "`explog query cards` lists the cards that are known");
  }
  if (e.arch.empty() && e.gpu.empty())
    throw Error(Exit::usage, "add: --arch is missing, and no profile gives it");
  e.idempotency_key = options.key;
  std::optional<Parsed> parsed(std::in_place);
  parsed->where = "add";
  const Playbook playbook = session.playbook();
  parsed->remarks = unknown_names(e, playbook);
  if (std::string odd = odd_card(e); !odd.empty()) parsed->remarks.push_back(std::move(odd));
  if (options.strict && !parsed->remarks.empty()) {
    parsed->fault = join(std::exchange(parsed->remarks, {}), "; ");
  } else {
    parsed->experience = std::move(e);
  }
  IngestOptions ingesting;
  ingesting.strict = options.strict;
  ingesting.dry_run = options.dry_run;
  return ingest(
      session, playbook, [&] { return std::exchange(parsed, std::nullopt); }, ingesting, true);
}

Ingested add_lines(const std::string& path, const std::function<void(Experience&)>& complete,
                   const AddOptions& options, bool want_ids, const Session& session) {
  IngestOptions ingesting;
  ingesting.strict = options.strict;
  ingesting.dry_run = options.dry_run;
  ingesting.key_prefix = options.key;
  ingesting.complete = complete;
  ingesting.what = "adding " + path;
  ingesting.input_bytes = plain_size(path);
  return ingest(session, session.playbook(), intake::explog_jsonl(path, session.piped), ingesting, want_ids);
}

}  // namespace explog::app
