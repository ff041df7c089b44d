#include "app/judge/doctor.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <future>
#include <iterator>

#include "app/judge/gpu_lease.h"
#include "app/session/progress.h"
#include "base/file.h"
#include "base/process.h"
#include "base/text.h"
#include "bench/ceilings.h"
#include "bench/harness/confinement.h"
#include "bench/harness/device_texts.h"
#include "bench/harness/matmul_heuristics.h"
#include "bench/harness/python.h"
#include "bench/harness/python_probe.h"
#include "store/open.h"

namespace explog::app {
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
  if (!path) return {name, true, "not found: " + without, true};
  std::vector<std::string> argv = {*path};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  Finished run = run_program(argv, 20000);
  if (run.status != 0) return {name, true, printable(line_with(run.output, "rror")) + ": " + without, true};
  return {name, true, printable(line_with(run.output, wanted))};
}

std::string python_line(const bench::PythonProbe& p) {
  std::string text = fmt::format("{} at {}", p.python, p.path);
  if (!p.torch.empty())
    text += "; torch " + p.torch + (p.torch_cuda.empty() ? " without CUDA" : ", CUDA " + p.torch_cuda);
  if (!p.numpy.empty()) text += "; numpy " + p.numpy;
  if (!p.cupti_path.empty()) text += "; CUPTI " + p.cupti;
  return text;
}

// A backend of Python kernels: the version that is there, and what it still lacks with the line that installs it.
HealthCheck python_backend(const std::string& name, const std::string& version, const bench::PythonProbe& p) {
  HealthCheck check{name, true, version};
  auto lacks = bench::missing_for(p, name);
  for (const bench::PythonLack& lack : lacks)
    check.detail += fmt::format("{}lacks {}{}", check.detail.empty() ? "" : "; ", lack.what,
                                lack.install.empty() ? "" : ": " + lack.install);
  check.absent = !lacks.empty();
  return check;
}

// Python may be missing altogether: kernels in CUDA and C++ need none.
std::vector<HealthCheck> python_checks() {
  bench::PythonProbe p;
  try {
    p = bench::probe_python(bench::find_python());
  } catch (const Error& e) {  // no interpreter, or no place to keep what it was asked
    return {{"python", true, std::string(e.what()) + ": Python kernels cannot be judged", true}};
  }
  if (!p.error.empty()) return {{"python", true, p.error + ": Python kernels cannot be judged", true}};
  std::string cutile =
      p.cutile.empty() || p.tileiras_archs.empty()
          ? p.cutile
          : fmt::format("{}, tileiras {} for {}", p.cutile, p.tileiras, join(p.tileiras_archs, " "));
  return {{"python", true, python_line(p)},
          python_backend("triton", p.triton, p),
          python_backend("cutile", cutile, p),
          python_backend("cutedsl", p.cutedsl, p)};
}

HealthCheck disassembler() {
  std::string path = bench::find_nvdisasm();
  if (path.empty())
    return {"nvdisasm", true, "not found: `explog code` shows PTX, and no SASS ($EXPLOG_NVDISASM names one)",
            true};
  Finished run = run_program({path, "--version"}, 20000);
  return {"nvdisasm", true, printable(line_with(run.output, "release")) + " at " + printable(path)};
}

HealthCheck heuristics_check() {
  std::string library = bench::find_matmul_heuristics();
  if (library.empty()) return {"heuristics", true, "not asked: $EXPLOG_NVMMH is off", true};
  bench::HeuristicsAnswer said = bench::ask_matmul_heuristics(library);
  if (!said.trouble.empty()) return {"heuristics", true, said.trouble, true};
  return {"heuristics", true, "nvMatmulHeuristics " + said.estimates.version + " at " + printable(library)};
}

std::vector<HealthCheck> environment(const Session& session) {
  std::vector<HealthCheck> checks;
  checks.push_back({"explog", true, std::string(EXPLOG_VERSION)});
  bool guarded = sql::wal_needs_guard(sql::version_number());
  checks.push_back(
      {"sqlite", true,
       sql::version() +
           (guarded ? ", writers and checkpoints take turns (WAL-reset fault before 3.51.3)" : "")});
  for (HealthCheck& check : tools_here(true)) checks.push_back(std::move(check));
  checks.push_back(heuristics_check());
  std::string sandbox = bench::confinement_here();
  bool lacking = sandbox.find("no ") != std::string::npos;
  checks.push_back(
      {"sandbox", true, sandbox + (lacking ? ": candidates are not fully confined here" : ""), lacking});
  checks.push_back({"playbook", true, fmt::format("{} strategies", session.playbook().all().size())});
  return checks;
}

std::vector<HealthCheck> database(const Session& session, bool rebuild) {
  struct stat info {};
  std::string path = session.database();
  if (stat(path.c_str(), &info) != 0)
    return {{"database", true, path + " does not exist yet; the first question or `explog add` makes it"}};
  std::vector<HealthCheck> checks = {
      {"database", true, fmt::format("{}, {:.1f} MiB", path, static_cast<double>(info.st_size) / 1048576)}};
  sql::Db db = session.reader();
  for (HealthCheck& check : store::check_health(db)) checks.push_back(std::move(check));
  if (!rebuild) return checks;
  store::Store store = session.writer();
  Progress progress(session, "rebuilding from the log", "records");
  auto differing = store.rebuild([&](std::int64_t n, std::int64_t all) {
    progress.of(n, all);
    if (n == all) session.progress("comparing it with what is there");
  });
  session.progress("");
  checks.push_back(
      {"rebuild", differing.empty(),
       differing.empty() ? "projections equal the log, bit for bit" : "repaired: " + join(differing, "; ")});
  return checks;
}

// Kept, because diagnoses prefer what was measured here to data sheets.
DeviceCeilings measured_ceilings(const Session& session) {
  std::optional<GpuLease> lease = lease_first(session);
  session.progress("measuring the GPU's ceilings");
  DeviceCeilings measured = bench::measure_ceilings();
  session.progress("");
  session.writer().append({store::Draft::of(Kind::device, to_json(measured))});
  return measured;
}

}  // namespace

// Side by side: each is asked what it is, and answers after a few tenths of a second.
std::vector<HealthCheck> tools_here(bool python) {
  auto beside = [](auto&& look) { return std::async(std::launch::async, look); };
  auto ask = [&](const char* name, std::vector<std::string> arguments, const char* wanted,
                 const char* without) {
    return beside([=] { return tool(name, arguments, wanted, without); });
  };
  std::vector<std::future<HealthCheck>> asked;
  asked.push_back(ask("nvcc", {"--version"}, "release", "CUDA candidates cannot be built"));
  asked.push_back(beside(disassembler));
  asked.push_back(ask("nvidia-smi", {"--query-gpu=name,driver_version,clocks.sm", "--format=csv,noheader"},
                      ",", "no GPU to run on"));
  asked.push_back(ask("ncu", {"--version"}, "Version", "no Nsight Compute profiles"));
  std::vector<HealthCheck> checks, of_python = python ? python_checks() : std::vector<HealthCheck>();
  for (std::future<HealthCheck>& check : asked) checks.push_back(check.get());
  std::move(of_python.begin(), of_python.end(), std::back_inserter(checks));
  return checks;
}

Health examine(const DoctorOptions& options, const Session& session) {
  Health health;
  health.environment = environment(session);
  if (options.ceilings) health.ceilings = measured_ceilings(session);
  try {
    health.database = database(session, options.rebuild);
  } catch (const Error& e) {
    health.database.push_back(
        {"database", false, std::string(e.what()) + (e.hint.empty() ? "" : "; " + e.hint)});
    health.failure = e.exit;
  }
  return health;
}

store::Salvaged salvage_to(const std::string& out, const Session& session) {
  std::string path = session.database();
  struct stat info {};
  if (stat(path.c_str(), &info) != 0)
    throw Error(Exit::usage, path + " does not exist", "name the damaged file with --db");
  if (stat(out.c_str(), &info) == 0)
    throw Error(Exit::usage, printable(out) + " exists already", "name a new file for what can be rescued");
  expect_writable_file(out);
  session.progress("reading " + path + " page by page");
  store::Store into(out, session.clock);
  store::Salvaged salvaged = store::salvage(path, into);
  session.progress("");
  return salvaged;
}

}  // namespace explog::app
