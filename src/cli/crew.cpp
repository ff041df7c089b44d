#include "cli/crew.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "bench/gpus.h"
#include "cli/judging.h"

namespace explog::cli {
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
  if (o.backend != "cuda") {
    if (!o.gpus.empty()) throw Error(Exit::usage, "--gpus: the host backend runs on no GPU");
    return {};
  }
  if (o.gpus.empty() && !env("CUDA_VISIBLE_DEVICES").empty()) return {};
  std::vector<Gpu> chosen = choose_gpus(find_gpus(), o.gpus);
  return chosen.size() == 1 && o.gpus.empty() ? std::vector<Gpu>() : chosen;
}

}  // namespace

Crew::Crew(const CalibrateOptions& o, Context& context)
    : context_(context), budget_minutes_(o.budget_minutes), show_(progress_on(context)) {
  std::vector<Gpu> gpus = gpus_for(o);
  Toolchain toolchain = find_toolchain(o.backend, o.arch, {});
  if (gpus.empty()) workers_.push_back(worker_of(toolchain, ""));
  for (const Gpu& gpu : gpus) {
    toolchain.gpu = gpu.uuid;
    if (o.arch.empty()) toolchain.arch = gpu.arch;
    workers_.push_back(worker_of(toolchain, gpus.size() > 1 ? "GPU " + gpu.index : ""));
  }
}

Context Crew::context_of(Worker& worker) {
  Context own = context_;
  if (size() == 1) return own;
  return {own.in,      worker.said,  worker.said, own.clock, false,       own.width,
          own.db_path, own.data_dir, own.json,    own.quiet, own.no_color};
}

void Crew::pass_on_warnings(Worker& worker) {
  context_.err << worker.said.str();
  worker.said.str("");
}

void Crew::clear() { clear_progress(context_); }

bool Crew::out_of_time() const { return budget_minutes_ > 0 && minutes_since(begin_) >= budget_minutes_; }

void Crew::expect(std::size_t all) {
  all_ = all;
  done_ = 0;
  start_ = Steady::now();
}

void Crew::count_one() { ++done_; }

std::string Crew::time_left() const {
  double each = minutes_since(start_) * 60 / static_cast<double>(std::max<std::size_t>(1, done_));
  double seconds = each * static_cast<double>(left());
  return fmt::format("{:.0f} min {:02.0f} s left", std::floor(seconds / 60), std::fmod(seconds, 60));
}

Progress Crew::progress(const Worker& worker, const std::string& what) {
  std::string where = (worker.name.empty() ? "" : worker.name + ": ") + what;
  return [this, where](const std::string& text) {
    std::lock_guard lock(desk_);
    show_(
        fmt::format("{} of {}, {}, {}{}", done_, all_, time_left(), where, text.empty() ? "" : ": " + text));
  };
}

}  // namespace explog::cli
