#include "app/campaign/contract.h"

#include <algorithm>
#include <filesystem>

#include "app/campaign/external.h"
#include "app/campaign/sources.h"
#include "app/judge/bench_request.h"
#include "app/judge/clock_lock.h"
#include "base/date.h"
#include "base/error.h"
#include "base/git.h"
#include "base/hash.h"
#include "base/text.h"
#include "bench/find_source.h"
#include "bench/harness/python.h"
#include "campaign/rules.h"
#include "model/backend.h"
#include "model/json.h"

namespace explog::app {
namespace {

namespace fs = std::filesystem;

constexpr double noise_on_host = 0.05;  // other processes share its cores

// A task of the user's own is found from any folder.
std::string lasting_name(const std::string& task) {
  return fs::exists(task) ? fs::absolute(task).string() : task;
}

// When it began, for people, and a number that campaigns of the same second, here or on other machines, do not share.
std::string id_for(const std::string& task, const std::string& created) {
  std::string digits = created.substr(0, 19);
  std::erase_if(digits, [](char c) { return c == '-' || c == ':'; });
  return task + "-" + replace_all(digits, "T", "-") + "-" + hex(random_bytes16()).substr(0, 6);
}

// The file, and what it is written with where that is Python.
std::string reference_text(const bench::FoundTask& found) {
  const std::string& file = found.task.reference;
  if (!bench::is_python(file)) return file;
  const std::string text = bench::source_of(found, file).text;
  return file + (bench::uses_torch(text) ? " (PyTorch)" : " (NumPy)");
}

// What a task says of a kernel, or commands of another file.
campaign::Contract subject_for(const CampaignStart& start, const Session& session) {
  campaign::Contract c;
  c.created = utc_text(session.clock());
  if (!start.measure.empty() || !start.check.empty()) {
    put_external(c, start.file, start.measure, start.check);
    c.id = id_for(c.task, c.created);
    return c;
  }
  BenchNames names{start.task, start.file, start.backend, start.arch, "", start.compiler_flags};
  BenchRequest request = read_request(names, session);
  const Backend& backend = request.toolchain.row();
  c.id = id_for(request.found.task.name, c.created);
  c.task = lasting_name(start.task), c.task_hash = request.found.hash;
  c.kernel_type = request.found.task.kernel_type;
  c.backend = backend.name, c.arch = request.toolchain.arch;
  c.dtype = dtype_name(request.found.task.arguments.front().dtype);
  c.reference = reference_text(request.found);
  return c;
}

// Where a branch of the campaign's versions will begin, whatever is committed meanwhile.
std::string commit_at(const std::string& file) {
  auto git = GitRepository::around(fs::path(file).parent_path().string());
  return git ? git->commit_of("HEAD") : "";
}

void put_clocks(campaign::Contract& c, const std::string& wanted) {
  if (wanted.empty()) return;
  must_be_a_clock(wanted);
  if (!c.external.given() && !backend_named(c.backend).on_gpu)
    throw Error(Exit::usage, "campaign start: --lock-clocks is for campaigns on a GPU", "leave it out here");
  c.lock_clocks = wanted;
}

}  // namespace

campaign::Contract contract_for(const CampaignStart& start, const Session& session) {
  campaign::Contract c = subject_for(start, session);
  c.baseline = {fs::absolute(start.file).string(), identity_of(bench::read_source(start.file))};
  c.commit = commit_at(c.baseline.file);
  c.compiler_flags = start.compiler_flags;
  c.allow_in_process = start.allow_in_process;
  c.limits = start.limits;
  if (c.external.given() || !backend_named(c.backend).on_gpu) c.limits.noise = noise_on_host;
  if (start.noise_percent > 0) c.limits.noise = start.noise_percent / 100;
  c.before = start.before, c.after = start.after;
  put_clocks(c, start.lock_clocks);
  c.explog = EXPLOG_VERSION;
  try {
    c.rules = campaign::rules_named(start.rules);
  } catch (const JsonError& e) {
    throw Error(Exit::usage, e.what());
  }
  return c;
}

}  // namespace explog::app
