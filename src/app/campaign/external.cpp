#include "app/campaign/external.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/campaign/command_files.h"
#include "app/campaign/verdict.h"
#include "app/judge/attempt.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/machine.h"
#include "base/text.h"
#include "bench/external.h"
#include "bench/harness/toolchain.h"
#include "bench/judge/record.h"

namespace explog::app {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t most_hashed = 64U << 20;  // what is larger is data

// Folders of the commands' own, gone with the verdict.
class WorkFolders {
 public:
  explicit WorkFolders(const CampaignFolder& folder) : root_(fs::absolute(folder.path()) / "work") {}
  ~WorkFolders() {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }
  WorkFolders(const WorkFolders&) = delete;
  WorkFolders& operator=(const WorkFolders&) = delete;
  std::string of(const std::string& version) const { return (root_ / version).string(); }

 private:
  fs::path root_;
};

bench::ExternalVersion version_of(const CampaignFolder& folder, int number, const WorkFolders& work) {
  std::string name = "v" + std::to_string(number);
  return {name, fs::absolute(folder.file_of(number)).lexically_normal().string(), work.of(name)};
}

// By which version 0 was judged; empty before that.
std::string metric_of(const campaign::State& state) {
  const auto& baseline = state.versions[0].judged;
  return baseline && !baseline->shapes.empty() ? baseline->shapes[0].shape : "";
}

MeasuredFile file_as_measured(const CampaignFolder& folder, int number) {
  const campaign::Proposed& p = folder.state().versions[static_cast<std::size_t>(number)].proposal;
  return {p.file, p.source};
}

bench::ExternalTiming timing_against(const CampaignFolder& folder, int against, int number,
                                     const Session& session) {
  const campaign::Contract& c = folder.contract();
  WorkFolders work(folder);
  bench::ExternalVersion candidate = version_of(folder, number, work);
  bench::ExternalVersion other = version_of(folder, against, work);
  bench::ExternalOptions options{metric_of(folder.state()), c.limits.shape_s, 60 * c.limits.minutes};
  auto timing =
      bench::time_external({c.external.measure, c.external.check, c.external.folder},
                           against == number ? candidate : other, candidate, options, session.progress);
  session.progress("");
  Measurement& m = timing.measurement;
  m.task = c.task, m.task_hash = c.task_hash;
  m.harness = EXPLOG_VERSION, m.harness_hash = bench::harness_hash();
  m.backend = c.backend, m.gpu = processor_name();
  m.baseline = file_as_measured(folder, against), m.candidate = file_as_measured(folder, number);
  m.clock = timing.metric, m.mode = "as the command runs it";
  m.runner = "external";
  return timing;
}

// A time is milliseconds where its name says so; others are kept among the metrics.
bool in_milliseconds(std::string_view metric) { return metric == "ms" || metric.ends_with("_ms"); }

Experience record_of(const CampaignFolder& folder, const campaign::Proposed& proposal,
                     const bench::ExternalTiming& timing, const bench::Verdict& verdict) {
  Task task;
  task.kernel_type = folder.contract().kernel_type;
  Experience e = bench::experience_of(timing.measurement, verdict, task);
  RecordFields fields = fields_of(folder, proposal);
  e.kernel = fs::path(folder.contract().baseline.file).filename().string();
  e.strategy = fields.strategy, e.hypothesis = fields.hypothesis;
  e.campaign = fields.campaign, e.iteration = fields.iteration, e.parent = fields.parent;
  e.metrics_before = timing.before, e.metrics_after = timing.after;
  add_expected(e, fields.expected);
  if (!in_milliseconds(timing.metric)) e.latency_before_ms = e.latency_after_ms = std::nullopt;
  e.condition = "external, metric " + timing.metric;
  e.tags.emplace_back("external");
  if (!fields.notes.empty()) e.notes = fields.notes + "; " + e.notes;
  return e;
}

campaign::Judged judged_external(const bench::ExternalTiming& timing, const bench::Verdict& verdict,
                                 const campaign::Proposed& proposal) {
  campaign::Judged judged = judged_from(timing.measurement, verdict, proposal);
  for (campaign::ShapeResult& shape : judged.shapes) shape.shape = timing.metric;
  if (judged.detail.starts_with(": ")) judged.detail.erase(0, 2);  // it is of the one shape without a name
  judged.expected = movements(proposal.expect, timing.before, timing.after);
  return judged;
}

}  // namespace

void put_external(campaign::Contract& contract, const std::string& file, const std::string& measure,
                  const std::string& check) {
  if (measure.empty() || check.empty())
    throw Error(Exit::usage, "campaign start: --measure and --check belong together",
                "--check true, where nothing can go wrong");
  contract.task = fs::path(file).stem().string();
  contract.kernel_type = "program", contract.backend = "external";
  contract.external = {measure, check, fs::current_path().string()};
  contract.baseline.file = fs::absolute(file).string();
  contract.task_hash = external_hash(contract);
}

std::string external_hash(const campaign::Contract& contract) {
  const campaign::External& external = contract.external;
  std::string all = external.measure + '\0' + external.check + '\0' + external.folder;
  for (const std::string* command : {&external.measure, &external.check}) {
    for (const std::string& file : files_named_in(*command, external.folder)) {
      std::error_code none;
      const bool changes = fs::equivalent(file, contract.baseline.file, none);
      if (!changes && fs::file_size(file, none) <= most_hashed) all += '\0' + file + '\0' + read_file(file);
    }
  }
  return hex(blake2b_128(all));
}

campaign::Judged external_verdict(const CampaignFolder& folder, const campaign::Proposed& proposal,
                                  const Session& session) {
  const int number = proposal.version;
  bench::ExternalTiming timing = timing_against(folder, number == 0 ? 0 : proposal.parent, number, session);
  bench::Verdict verdict = bench::judge(timing.measurement);
  campaign::Judged judged = judged_external(timing, verdict, proposal);
  if (number == 0) return judged;
  judged.records =
      record_attempt(session, timing.measurement, {record_of(folder, proposal, timing, verdict)});
  if (proposal.parent == 0) judged.than_baseline = judged.faster;
  if (judged.verdict == "keep" && proposal.parent > 0) {
    bench::ExternalTiming direct = timing_against(folder, 0, number, session);
    judged.than_baseline = judged_external(direct, bench::judge(direct.measurement), proposal).faster;
  }
  return judged;
}

}  // namespace explog::app
