// doctor: environment and store health.
#include <fmt/format.h>
#include <sys/stat.h>

#include <memory>

#include "base/error.h"
#include "base/process.h"
#include "base/text.h"
#include "bench/ceilings.h"
#include "cli/commands.h"
#include "cli/profiles.h"
#include "model/json.h"
#include "store/health.h"
#include "store/open.h"

namespace explog::cli {
namespace {

using store::HealthCheck;

std::string line_with(const std::string& text, std::string_view what) {
  for (std::string_view line : split(text, '\n')) {
    if (line.find(what) != std::string_view::npos) return std::string(trim(line));
  }
  return std::string(trim(split(text, '\n')[0]));
}

// A tool that may be missing: what it is for is said, and it is no fault of the store.
HealthCheck tool(const std::string& name, const std::vector<std::string>& arguments, std::string_view wanted,
                 const std::string& without) {
  auto path = find_program(name);
  if (!path) return {name, true, "not found: " + without};
  std::vector<std::string> argv = {*path};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  Finished run = run_program(argv, 20000);
  if (run.status != 0) return {name, true, printable(line_with(run.output, "rror")) + ": " + without};
  return {name, true, printable(line_with(run.output, wanted))};
}

std::vector<HealthCheck> environment(const Context& context) {
  std::vector<HealthCheck> checks;
  checks.push_back({"explog", true, std::string(EXPLOG_VERSION)});
  bool guarded = sql::wal_needs_guard(sql::version_number());
  checks.push_back(
      {"sqlite", true,
       sql::version() +
           (guarded ? ", writers and checkpoints take turns (WAL-reset fault before 3.51.3)" : "")});
  checks.push_back(tool("nvcc", {"--version"}, "release", "CUDA candidates cannot be built"));
  checks.push_back(tool("nvidia-smi", {"--query-gpu=name,driver_version,clocks.sm", "--format=csv,noheader"},
                        ",", "no GPU to run on"));
  checks.push_back(tool("ncu", {"--version"}, "Version", "no Nsight Compute profiles"));
  checks.push_back({"playbook", true, fmt::format("{} strategies", context.playbook().all().size())});
  return checks;
}

std::vector<HealthCheck> database(Context& context, bool rebuild) {
  struct stat info {};
  std::string path = context.database();
  if (stat(path.c_str(), &info) != 0)
    return {{"database", true, path + " does not exist yet; the first `explog add` makes it"}};
  std::vector<HealthCheck> checks = {
      {"database", true, fmt::format("{}, {:.1f} MiB", path, static_cast<double>(info.st_size) / 1048576)}};
  sql::Db db = context.reader();
  for (HealthCheck& check : store::check_health(db)) checks.push_back(std::move(check));
  if (!rebuild) return checks;
  store::Store store = context.writer();
  auto differing = store.rebuild();
  checks.push_back(
      {"rebuild", differing.empty(),
       differing.empty() ? "projections equal the log, bit for bit" : "repaired: " + join(differing, "; ")});
  return checks;
}

// Measures what the GPU reaches and keeps it: diagnoses prefer it to data sheets.
std::vector<HealthCheck> ceilings(Context& context) {
  if (context.terminal && !context.quiet && !context.json)
    context.err << "measuring the GPU's ceilings ...\n";
  DeviceCeilings measured = bench::measure_ceilings();
  context.writer().append({store::Draft{Kind::device, to_json(measured), {}, {}, 0}});
  std::vector<HealthCheck> checks;
  for (const auto& [name, rate] : measured.rates) {
    const char* unit = name.ends_with("bytes_per_s") ? "B/s" : "FLOP/s";
    checks.push_back({"ceiling", true, fmt::format("{:<22} {}", name, rate_text(rate, unit))});
    for (const auto& [what, how] : measured.how) {
      if (what == name) checks.back().detail += ", " + how;
    }
  }
  checks.push_back({"ceiling", true, "stored for " + measured.gpu});
  return checks;
}

struct Options {
  bool rebuild = false, ceilings = false;
};

int run_doctor(const Options& o, Context& context) {
  std::vector<HealthCheck> checks = environment(context);
  if (o.ceilings) {
    for (HealthCheck& check : ceilings(context)) checks.push_back(std::move(check));
  }
  int code = 0;
  try {
    for (HealthCheck& check : database(context, o.rebuild)) checks.push_back(std::move(check));
  } catch (const Error& e) {
    checks.push_back({"database", false, std::string(e.what()) + (e.hint.empty() ? "" : "; " + e.hint)});
    code = static_cast<int>(e.exit);
  }
  JsonWriter json;
  json.begin_object();
  json.key("checks");
  json.begin_array();
  for (const HealthCheck& check : checks) {
    json.begin_object();
    json.key("name"), json.text(check.name);
    json.key("ok"), json.boolean(check.ok);
    json.key("detail"), json.text(check.detail);
    json.end_object();
    if (!check.ok && code == 0)
      code = static_cast<int>(check.name == "rebuild" ? Exit::negative : Exit::store);
    if (!context.json)
      context.out << fmt::format("{:<4} {:<11} {}\n", check.ok ? "ok" : "BAD", check.name,
                                 printable(check.detail));
  }
  json.end_array();
  json.end_object();
  if (context.json) context.out << json.str() << '\n';
  return code;
}

}  // namespace

Action setup_doctor(CLI::App& app) {
  auto o = std::make_shared<Options>();
  app.add_flag("--rebuild", o->rebuild,
               "make the projections again from the log, compare, and replace them when they differ");
  app.add_flag(
      "--ceilings", o->ceilings,
      "measure what the GPU here reaches (bandwidth, fp32 and tensor rates) and keep it for `diagnose`");
  return [o](Context& context) { return run_doctor(*o, context); };
}

}  // namespace explog::cli
