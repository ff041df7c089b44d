#include "app/launch/plan_worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include <unistd.h>

#include "app/judge/gpu_lease.h"
#include "app/launch/plan_attempt.h"
#include "app/session/stop_signals.h"
#include "app/sync/sync_once.h"
#include "base/date.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/machine.h"
#include "base/text.h"

namespace explog::app {
namespace {

using Steady = std::chrono::steady_clock;

constexpr int most_crashes = 3;
constexpr auto last_push = std::chrono::seconds(15);  // how long a worker that was told to end tries

double seconds_now() { return std::chrono::duration<double>(Steady::now().time_since_epoch()).count(); }

std::string node_name(const std::string& given) {
  for (const std::string& name : {given, env("EXPLOG_LABEL"), env("SLURMD_NODENAME")}) {
    if (!name.empty()) return name;
  }
  return host_name();
}

// Whether an item is timed on a GPU, by what its command would say: an ending of C++ means the host.
bool wants_gpu(const launch::Item& item) {
  for (std::size_t i = 0; i < item.options.size(); ++i) {
    const std::string& option = item.options[i];
    if (option == "--backend" && i + 1 < item.options.size()) return item.options[i + 1] != "host";
    if (option.starts_with("--backend=")) return option != "--backend=host";
  }
  return !item.file.ends_with(".cpp") && !item.file.ends_with(".c");
}

// None where there is no GPU: the command itself then says so.
std::vector<bench::Gpu> gpus_here() {
  try {
    return visible_gpus(bench::find_gpus(), env("CUDA_VISIBLE_DEVICES"));
  } catch (const Error&) {
    return {};
  }
}

// The name of a file: whatever a label holds, and nobody else's.
std::string worker_name(const std::string& node) {
  std::string name = node.substr(0, 60);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return isalnum(static_cast<unsigned char>(c)) == 0; }, '-');
  return fmt::format("{}-{}-{}", name, getpid(), hex(random_bytes16()).substr(0, 8));
}

class PlanWorker {
 public:
  PlanWorker(const PlanFolder& folder, const PlanWork& work, const Session& session,
             const ItemListener& listen)
      : folder_(folder),
        work_(work),
        session_(session),
        listen_(listen),
        node_(node_name(work.node)),
        name_(worker_name(node_)),
        watch_(folder.plan().beat_s, folder.plan().stale_s),
        heart_(folder, name_) {}

  PlanEnd run() {
    exchange(true);
    while (stop_signal() == 0 && done_.size() < folder_.plan().items.size()) {
      try {
        if (!take_one() && !nothing_left_here()) rest();
        if (nothing_left_here()) break;
        reached_ = true;
      } catch (const Error& e) {
        if (e.exit != Exit::remote) throw;
        if (reached_) session_.warn(std::string(e.what()) + "; trying again");
        reached_ = false;
        rest();
      }
    }
    if (stop_signal() == 0) exchange(true);  // what others found comes home as well
    return {done_.size(), failed_, folder_.plan().items.size() - done_.size(), stop_signal()};
  }

 private:
  using How = AttemptEnd::How;

  // Everything that we may do has its end or cannot be done here.
  bool nothing_left_here() const {
    return done_.size() + unable_.size() + foreign_ >= folder_.plan().items.size();
  }

  // In short pieces, so that a signal is heard.
  void rest() const {
    auto until = Steady::now() + std::chrono::duration<double>(std::min(folder_.plan().beat_s, 5.0));
    while (stop_signal() == 0 && Steady::now() < until)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }

  // Our own part first; then what others left, from the other end, so that we meet them late.
  bool take_one() {
    const auto& items = folder_.plan().items;
    foreign_ = 0;
    for (const launch::Item& item : items) {
      if (is_of_shard(item, work_.shard) && try_item(item)) return true;
    }
    for (auto item = items.rbegin(); item != items.rend(); ++item) {
      if (is_of_shard(*item, work_.shard)) continue;
      if (work_.only_shard)
        ++foreign_;
      else if (try_item(*item))
        return true;
    }
    return false;
  }

  bool try_item(const launch::Item& item) {
    if (stop_signal() != 0 || done_.contains(item.id) || unable_.contains(item.id)) return false;
    launch::ItemFacts facts = folder_.facts(item);
    if (facts.done) {
      count(item, *facts.done);
      return false;
    }
    if (facts.claim && !facts.left)
      watch_.look(facts.claim->worker, folder_.beat_of(facts.claim->worker).value_or(""), seconds_now());
    bool silent = facts.claim && watch_.is_silent(facts.claim->worker);
    if (state_of(facts, silent) == launch::ItemState::running) return false;
    std::optional<GpuLease> lease;
    if (wants_gpu(item)) {
      if (!gpus_) gpus_ = gpus_here();
      lease = lease_gpu(*gpus_, gpu_lock_folder());
      if (!lease && !gpus_->empty()) return false;  // other workers of this host time on all of them
    }
    PlanAttempt attempt{folder_, item, facts.attempts + 1, lease ? lease->gpu.name : processor_name(), {}};
    if (lease) {
      attempt.environment.push_back("CUDA_VISIBLE_DEVICES=" + lease->gpu.uuid);
      attempt.environment.push_back(lease_environment(*lease));
    }
    if (!folder_.claim(item, attempt.number, {name_, node_, attempt.machine, now()})) return false;
    if (!folder_.is_done(item)) work_on(attempt, facts.crashes);  // its owner may have come back just now
    return true;
  }

  void count(const launch::Item& item, const launch::Done& done) {
    if (!done_.insert(item.id).second) return;
    if (done.exit != 0 && done.exit != static_cast<int>(Exit::negative)) ++failed_;
  }

  std::string now() const { return utc_text(session_.clock()); }

  void work_on(const PlanAttempt& attempt, int crashes) {
    if (attempt.number > 1 && attempt.item.kind == launch::ItemKind::tune)
      exchange(true);  // what was measured elsewhere
    AttemptEnd end;
    try {
      end = run_attempt(attempt, heart_, session_);
    } catch (const Error& e) {
      if (e.exit == Exit::remote) throw;
      end = {How::unable, static_cast<int>(e.exit), e.what(), 0};
    }
    settle(attempt.item, attempt.number, crashes, end);
  }

  void settle(const launch::Item& item, int number, int crashes, const AttemptEnd& end) {
    bool over = end.how == How::done || (end.how == How::crashed && crashes + 1 >= most_crashes);
    if (end.how == How::lost) return listen_(item, "was taken over");
    bool home = exchange(false);
    if (over && home) return finish(item, number, end);
    if (end.how == How::unable) unable_.insert(item.id);
    const char* why = over || end.how == How::stopped ? "preempted"
                      : end.how == How::crashed       ? "crash"
                                                      : "unavailable";
    persist([&] { folder_.leave(item, number, {why, now()}); });
    listen_(item, std::string(why) + (end.said.empty() ? "" : ": " + end.said));
  }

  void finish(const launch::Item& item, int number, const AttemptEnd& end) {
    launch::Done done{number, end.exit, name_, node_, now(), end.said, end.wall_s};
    bool first = false;
    if (!persist([&] { first = folder_.finish(item, done); })) return;
    listen_(item, !first          ? "was done by another"
                  : end.exit == 0 ? fmt::format("done in {:.1f} s", end.wall_s)
                                  : fmt::format("done in {:.1f} s, exit {}{}", end.wall_s, end.exit,
                                                end.said.empty() ? "" : ": " + end.said));
  }

  // Until the folder can be reached, or for a while after somebody wants us to end: then others find out by our silence.
  template <class Step>
  bool persist(Step&& step) const {
    for (;;) {
      try {
        step();
        return true;
      } catch (const Error& e) {
        if (e.exit != Exit::remote) throw;
        if (stop_signal() != 0) return false;
        rest();
      }
    }
  }

  // Our records go out; with `all` those of others come in. The remote is the plan's, not one of the user's list. False: not
  // before somebody wanted us to end.
  bool exchange(bool all) {
    store::Store store = session_.writer();
    store::RemoteRow row;
    row.name = "plan", row.url = folder_.remote();
    std::optional<Steady::time_point> told;
    for (;;) {
      Synced synced = sync_once(session_, store, row, {true, all, false, false});
      if (!synced.failure) return true;
      bool passes = synced.failure->kind == sync::Failure::Kind::unreachable || row.url.starts_with("dir:");
      if (!passes)
        throw Error(Exit::unavailable, folder_.remote() + ": " + synced.failure->what, synced.failure->hint);
      if (!told && stop_signal() != 0) told = Steady::now();
      if (told && Steady::now() - *told > last_push) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
    }
  }

  const PlanFolder& folder_;
  const PlanWork& work_;
  const Session& session_;
  const ItemListener& listen_;
  std::string node_, name_;
  launch::Watch watch_;
  PlanHeart heart_;
  std::set<std::string> done_, unable_;
  std::optional<std::vector<bench::Gpu>> gpus_;  // looked for when the first item wants one
  std::size_t failed_ = 0, foreign_ = 0;
  bool reached_ = true;
};

}  // namespace

PlanEnd work_on_plan(const PlanFolder& folder, const PlanWork& work, const Session& session,
                     const ItemListener& listen) {
  StopSignals signals;
  return PlanWorker(folder, work, session, listen).run();
}

}  // namespace explog::app
