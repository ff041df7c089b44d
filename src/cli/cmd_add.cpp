// add: flags or JSON lines -> records.
#include <fmt/format.h>

#include <memory>
#include <tuple>

#include "base/error.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/ingest.h"
#include "cli/profiles.h"
#include "intake/explog_jsonl.h"
#include "model/check.h"
#include "model/json.h"
#include "model/kernel_type.h"

namespace explog::cli {
namespace {

struct Options {
  ExperienceFlags fields;
  std::string jsonl, key, ncu_before, ncu_after, kernel_name;
  bool strict = false, dry_run = false, verbose = false;
};

void print_json(Context& context, const Ingested& result) {
  JsonWriter json;
  json.begin_object();
  for (auto [key, list] :
       {std::pair("ids", &result.ids), {"warnings", &result.warnings}, {"rejected", &result.rejections}}) {
    json.key(key), json.texts(*list);
  }
  json.key("added"), json.number(static_cast<double>(result.added));
  json.key("skipped"), json.number(static_cast<double>(result.skipped));
  json.end_object();
  context.out << json.str() << '\n';
}

int finish(Context& context, const Ingested& result, bool single, bool verbose) {
  report(context, result, verbose);
  if (context.json) {
    print_json(context, result);
  } else if (single && !result.ids.empty()) {
    context.out << result.ids[0] << (result.skipped > 0 ? "  (known already)" : "") << '\n';
  } else if (!single) {
    context.out << fmt::format("added {}, skipped {}, rejected {}\n", result.added, result.skipped,
                               result.rejected);
  }
  if (result.interrupted) {
    context.err << fmt::format("explog: interrupted; {} records are stored\n", result.added);
    return static_cast<int>(Exit::interrupted);
  }
  if (single && result.rejected > 0) return static_cast<int>(Exit::usage);
  return static_cast<int>(result.rejected > 0 ? Exit::quarantined : Exit::ok);
}

// What the claim check cannot see: whether the names mean something to the playbook and the taxonomy.
std::vector<std::string> unknown_names(const Context& context, const Experience& e) {
  std::vector<std::string> remarks;
  std::string type = canonical_kernel_type(e.kernel_type);
  auto types = known_kernel_types();
  if (!is_known_kernel_type(type) && nearest(type, types)) {
    remarks.push_back("kernel type '" + printable(type) + "' is new" + did_you_mean(type, types));
  }
  auto playbook = context.playbook();
  auto names = playbook.names();
  if (!e.strategy.empty() && playbook.find(e.strategy) == nullptr) {
    remarks.push_back("strategy '" + printable(e.strategy) + "' is not in the playbook" +
                      did_you_mean(e.strategy, names));
  }
  return remarks;
}

bool has_profile(const Options& o) { return !o.ncu_before.empty() || !o.ncu_after.empty(); }

// Metrics of the kernel's profiles; what they tell and no flag says: arch, bottleneck, stall, times.
void add_profiles(const Context& context, const Options& o, Experience& e) {
  sql::Db db = context.reader();
  for (auto [path, metrics, latency] : {std::tuple(&o.ncu_before, &e.metrics_before, &e.latency_before_ms),
                                        {&o.ncu_after, &e.metrics_after, &e.latency_after_ms}}) {
    if (path->empty()) continue;
    intake::NcuFile file = read_profile(*path, context);
    const Launch& launch = main_kernel(file, o.kernel_name, *path, context);
    for (const auto& [name, value] : record_metrics(launch)) {
      if (!fact(*metrics, name)) metrics->emplace_back(name, value);
    }
    if (e.arch.empty()) e.arch = launch.arch;
    if (e.gpu.empty()) e.gpu = text_metric(launch, "device__attribute_display_name");
    if (auto ns = metric(launch, "gpu__time_duration.sum"); ns && !*latency) {
      *latency = *ns * 1e-6;
      context.warn(printable(*path) +
                   ": the time is Nsight Compute's, whose clock control and replay change it");
    }
    if (path != &o.ncu_before) continue;
    diagnose::Diagnosis d = diagnose_launch(launch, db);
    if (e.bottleneck.empty() && d.label.word != "unknown") e.bottleneck = d.label.word;
    if (e.stall.empty()) e.stall = d.stall;
  }
}

Source one_record(const Context& context, const Options& o) {
  auto done = std::make_shared<bool>(false);
  return [&context, &o, done]() -> std::optional<Parsed> {
    if (std::exchange(*done, true)) return std::nullopt;
    Experience e;
    o.fields.apply(e, false);
    if (has_profile(o)) add_profiles(context, o, e);
    if (e.arch.empty()) throw Error(Exit::usage, "add: --arch is missing, and no profile tells it");
    Parsed parsed;
    parsed.where = "add";
    parsed.remarks = unknown_names(context, e);
    if (o.strict && !parsed.remarks.empty()) {
      parsed.fault = join(std::exchange(parsed.remarks, {}), "; ");
    } else {
      parsed.experience = std::move(e);
    }
    return parsed;
  };
}

int run_add(const Options& o, Context& context) {
  bool single = o.jsonl.empty();
  if (!single && has_profile(o))
    throw Error(Exit::usage, "add: --ncu-before and --ncu-after belong to one record");
  if (single) {
    for (const char* field : {"kernel_type", "backend", "arch"}) {
      if (has_profile(o) && std::string_view(field) == "arch") continue;
      std::string flag = std::string(field) == "kernel_type" ? "--kernel" : std::string("--") + field;
      if (!o.fields.given(field))
        throw Error(Exit::usage, "add: " + flag + " is missing", "explog add --help shows all fields");
    }
  }
  IngestOptions options;
  options.strict = o.strict;
  options.dry_run = o.dry_run;
  if (single) {
    options.complete = [&](Experience& e) { e.idempotency_key = o.key; };
    return finish(context, ingest(context, one_record(context, o), options, true), true, true);
  }
  options.key_prefix = o.key;
  options.complete = [&](Experience& e) { o.fields.apply(e, true); };
  auto lines = intake::explog_jsonl(o.jsonl, context.in);
  return finish(context,
                ingest(
                    context, [&] { return lines(); }, options, context.json),
                false, o.verbose);
}

}  // namespace

Action setup_add(CLI::App& app) {
  auto o = std::make_shared<Options>();
  o->fields.add_to(app, false);
  app.add_option("--jsonl", o->jsonl,
                 "many records, one JSON object a line; '-' is standard input, .gz is unpacked")
      ->type_name("FILE");
  app.add_option("--ncu-before", o->ncu_before, "profile before the change (CSV of Nsight Compute)")
      ->type_name("FILE");
  app.add_option("--ncu-after", o->ncu_after, "profile after it")->type_name("FILE");
  app.add_option("--ncu-kernel", o->kernel_name, "which kernel of the profiles")->type_name("RE");
  app.add_option("--idempotency-key", o->key,
                 "a retry with the same key stores nothing new and prints the same id")
      ->type_name("KEY");
  app.add_flag("--strict", o->strict, "refuse a record whose claim does not fit its own numbers");
  app.add_flag("--dry-run", o->dry_run, "check only");
  app.add_flag("--verbose", o->verbose, "every remark, not only the first twenty");
  return [o](Context& context) { return run_add(*o, context); };
}

}  // namespace explog::cli
