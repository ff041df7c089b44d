#include "cli/campaign_flags.h"

#include "base/error.h"
#include "base/text.h"
#include "model/backend.h"

namespace explog::cli {
namespace {

void add_start_flags(Arguments& arguments, app::CampaignStart& start) {
  const char* group = "start";
  arguments.option("--backend", start.backend, "how the kernel is built (else by its file's ending)")
      .group(group)
      .one_of(backend_names());
  arguments.option("--arch", start.arch, "sm_90, or a card: H100 (else the GPU here)")
      .group(group)
      .type_name("A")
      .names_a("archs");
  arguments.option("--max-versions", start.limits.max_versions, "versions judged at most")
      .group(group)
      .positive()
      .show_default();
  arguments.option("--minutes", start.limits.minutes, "for one version")
      .group(group)
      .positive()
      .show_default();
  arguments.option("--budget", start.limits.budget_s, "seconds of judging in all, 0: no limit")
      .group(group)
      .zero_or_more()
      .type_name("S");
  arguments.option("--max-time", start.limits.shape_s, "seconds of timing a shape at most")
      .group(group)
      .zero_or_more()
      .type_name("S");
  arguments.option("--stop-after-no-gain", start.limits.no_gain, "versions in a row without gain that end it")
      .group(group)
      .positive()
      .show_default();
  arguments
      .option("--noise", start.noise_percent,
              "how well the baseline must be known, in percent (else 1, host 5; from 100 on: however badly)")
      .group(group)
      .zero_or_more()
      .type_name("P");
  arguments
      .option("--rules", start.rules,
              "seed: ends after those; strict: so, and keeps no gain below 2%; explore: goes on")
      .group(group)
      .one_of(campaign::rule_names());
  arguments.option("--flag", start.compiler_flags, "a flag of the compiler, for every version")
      .group(group)
      .repeatable()
      .type_name("FLAG");
  arguments
      .flag("--allow-in-process", start.allow_in_process,
            "keep a gain also where a version's own process had to be timed (GPU)")
      .group(group);
}

// Commands of the user's, and the clock that they or kernels run at.
void add_command_flags(Arguments& arguments, app::CampaignStart& start) {
  const char* group = "start";
  arguments
      .option(
          "--measure", start.measure,
          "of a file that is no kernel: a command that prints METRIC name=value; the first decides, less is "
          "better")
      .group(group)
      .type_name("CMD");
  arguments
      .option("--check", start.check,
              "with --measure: a command that exits with 0 where the version is right, else 1")
      .group(group)
      .type_name("CMD");
  arguments
      .option(
          "--before", start.before,
          "a command before each version is judged: events as JSON lines on its standard input, a note out")
      .group(group)
      .type_name("CMD");
  arguments.option("--after", start.after, "the same after each verdict").group(group).type_name("CMD");
  arguments
      .option(
          "--lock-clocks", start.lock_clocks,
          "hold the GPU's SM clock there while versions are judged, then give it back (administrators only)")
      .group(group)
      .type_name("MHZ|max");
}

void add_judge_flags(Arguments& arguments, app::VersionToJudge& version, std::vector<std::string>& expect) {
  const char* group = "judge";
  arguments.option("--strategy", version.strategy, "what was changed")
      .group(group)
      .type_name("ID")
      .names_a("strategies");
  arguments.option("--hypothesis", version.hypothesis, "what it should do").group(group).type_name("TEXT");
  arguments.option("--rationale", version.rationale, "why").group(group).type_name("TEXT");
  arguments
      .option("--expect", expect,
              "a counter and how it should move: dram__bytes_read.sum:-45%; latency_ms is the time")
      .group(group)
      .repeatable()
      .type_name("METRIC:P%");
  arguments.option("--by", version.by, "who proposes it; run: the walk alone")
      .group(group)
      .one_of({"person", "agent", "walk"});
  arguments.flag("--again", version.again, "also where the same bytes were judged before").group(group);
}

}  // namespace

void CampaignFlags::add_to(Arguments& arguments, const std::vector<std::string>& actions) {
  arguments.option("action", action, "what to do").type_name("ACTION").one_of(actions);
  arguments
      .option("subject", subjects,
              "start: the task and the kernel's file (--measure: the file alone); judge: a file; show, "
              "apply: a version; profile: a version and a CSV")
      .type_name("TASK|FILE|vN")
      .names_a("tasks");
  arguments.option("--out", out, "the campaign's folder (else the only one here; start: ./runs/TASK)")
      .type_name("DIR");
  arguments.option("-n,--limit", limit, "next: suggestions at most").positive().show_default();
  arguments.option("--to", to, "apply: the file to write (else the one version 0 was read from)")
      .type_name("FILE");
  arguments
      .option("--propose", propose,
              "run: a command that writes the next version (else the program proposes by itself)")
      .type_name("CMD");
  arguments
      .option("--seed", seed,
              "run: another order of changes that promise the same, 0: as they stand in the source")
      .zero_or_more()
      .type_name("N");
  arguments
      .option("--kernel-name", kernel_name,
              "profile: the kernel of the CSV (RE2); else the one that took longest")
      .type_name("RE");
  arguments.flag("--benchmark", benchmark,
                 "report: time the best version against PyTorch first, eager and compiled (GPU)");
  arguments
      .option("--wait", wait,
              "judge: in a process of its own, waited for so long (exit 75: it goes on, ask again); status: "
              "wait for the verdict so long")
      .zero_or_more()
      .type_name("S");
  arguments.flag("--watch", watch, "status: then a line an event, until the campaign ends");
  arguments.flag("--jsonl", jsonl, "log: the journal, one JSON object a line");
  arguments.flag("--dry-run", dry_run, "apply: only show what it would change");
  arguments.option("--reason", reason, "stop: why").type_name("TEXT");
  add_start_flags(arguments, start);
  add_command_flags(arguments, start);
  add_judge_flags(arguments, version, expect);
  plan.add_to(arguments);
  arguments.option("--shard", shard, "of a plan's items, take the K-th of N parts first")
      .group("Many machines")
      .type_name("K/N");
}

std::vector<campaign::Expectation> expectations(const std::vector<std::string>& texts) {
  std::vector<campaign::Expectation> list;
  for (const std::string& text : texts) {
    std::size_t colon = text.rfind(':');
    std::string_view value = colon == std::string::npos ? "" : std::string_view(text).substr(colon + 1);
    if (value.ends_with('%')) value.remove_suffix(1);
    if (value.starts_with('+')) value.remove_prefix(1);
    auto percent = parse_number(value);
    if (colon == 0 || !percent || *percent == 0)
      throw Error(Exit::usage, "--expect: '" + printable(text) + "' is no METRIC:PERCENT",
                  "--expect dram__bytes_read.sum:-45%");
    list.push_back({text.substr(0, colon), *percent});
  }
  return list;
}

int version_named(const std::string& text) {
  auto number = text.starts_with('v') ? parse_number(std::string_view(text).substr(1)) : std::nullopt;
  if (!number || *number < 0 || *number != static_cast<int>(*number))
    throw Error(Exit::usage, "'" + printable(text) + "' is no version", "versions are v0, v1, v2, ...");
  return static_cast<int>(*number);
}

}  // namespace explog::cli
