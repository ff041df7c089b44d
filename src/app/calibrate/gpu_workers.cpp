#include "app/calibrate/gpu_workers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/session/names.h"
#include "app/session/progress.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "bench/harness/gpus.h"
#include "model/backend.h"

namespace explog::app {
namespace {

using namespace bench;
using Steady = std::chrono::steady_clock;

double minutes_since(Steady::time_point start) {
  return std::chrono::duration<double>(Steady::now() - start).count() / 60;
}

std::unique_ptr<Worker> worker_of(Toolchain toolchain, const std::string& name) {
  auto worker = std::make_unique<Worker>();
  worker->toolchain = std::move(toolchain);
  worker->name = name;
  return worker;
}

// The GPUs to work on; none for "what CUDA calls the first", which is also what a list of the user's own in
// $CUDA_VISIBLE_DEVICES means: it may name parts of a GPU, which nvidia-smi does not list.
std::vector<Gpu> gpus_for(const CalibrateOptions& o) {
  if (!backend_named(o.backend).on_gpu) {
    if (!o.gpus.empty()) throw Error(Exit::usage, "--gpus: the " + o.backend + " backend runs on no GPU");
    return {};
  }
  if (o.gpus.empty() && !env("CUDA_VISIBLE_DEVICES").empty()) return {};
  std::vector<Gpu> chosen = choose_gpus(find_gpus(), o.gpus);
  return chosen.size() == 1 && o.gpus.empty() ? std::vector<Gpu>() : chosen;
}

}  // namespace

bool is_wanted(const CalibrateOptions& o, const std::string& family) {
  return o.families.empty() || std::find(o.families.begin(), o.families.end(), family) != o.families.end();
}

void check_families(const CalibrateOptions& o, const std::vector<std::string>& names,
                    const std::string& what) {
  for (const std::string& family : o.families) {
    if (std::find(names.begin(), names.end(), family) == names.end())
      throw Error(Exit::usage,
                  "--families: no " + what + " '" + printable(family) + "'" + did_you_mean(family, names),
                  "one of: " + join(names, ", "));
  }
}

GpuWorkers::GpuWorkers(const CalibrateOptions& o, const Session& session)
    : session_(session), budget_minutes_(o.budget_minutes) {
  std::vector<Gpu> gpus = gpus_for(o);
  Toolchain toolchain = find_toolchain(o.backend, arch_to_compile(o.arch), {});
  if (gpus.empty()) {
    workers_.push_back(worker_of(toolchain, ""));
    workers_.front()->lease = lease_for(workers_.front()->toolchain, session);
  }
  for (const Gpu& gpu : gpus) {
    toolchain.gpu = gpu.uuid;
    if (o.arch.empty()) toolchain.arch = gpu.arch;
    workers_.push_back(worker_of(toolchain, gpus.size() > 1 ? "GPU " + gpu.index : ""));
    workers_.back()->lease = lease_of(gpu, session);
  }
}

Session GpuWorkers::session_with(std::vector<std::string>& warnings) const {
  Session own = session_;
  own.warn = [&warnings](const std::string& text) { warnings.push_back(text); };
  return own;
}

void GpuWorkers::pass_on(const std::vector<std::string>& warnings) {
  for (const std::string& text : warnings) session_.warn(text);
}

bool GpuWorkers::out_of_time() const {
  return budget_minutes_ > 0 && minutes_since(begin_) >= budget_minutes_;
}

void GpuWorkers::expect(std::size_t all) {
  all_ = all;
  done_ = 0;
  start_ = Steady::now();
}

void GpuWorkers::count_one() { ++done_; }

std::string GpuWorkers::time_left() const {
  return time_left_text(minutes_since(start_) * 60, static_cast<double>(done_), static_cast<double>(all_));
}

Listener GpuWorkers::progress(const Worker& worker, const std::string& what) {
  std::string where = (worker.name.empty() ? "" : worker.name + ": ") + what;
  return [this, where](const std::string& text) {
    std::lock_guard lock(mutex_);
    session_.progress(fmt::format("{} of {}, {}{}{}", done_, all_,
                                  time_left().empty() ? "" : time_left() + ", ", where,
                                  text.empty() ? "" : ": " + text));
  };
}

}  // namespace explog::app
