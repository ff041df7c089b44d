#include "app/launch/plan_attempt.h"

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "app/campaign/campaign.h"
#include "app/session/stop_signals.h"
#include "base/error.h"
#include "base/own_program.h"
#include "base/text.h"
#include "bench/harness/private_folder.h"
#include "model/json.h"

namespace explog::app {
namespace {

namespace fs = std::filesystem;
using How = AttemptEnd::How;
using Steady = std::chrono::steady_clock;

constexpr auto between_looks = std::chrono::milliseconds(50);
constexpr auto patience_with_term =
    std::chrono::seconds(10);  // until a command that was told to end is killed

// The sentence of an error that a command wrote as JSON, or its first line.
std::string complaint_in(const std::string& said) {
  try {
    return parse_json(trim(said)).at("error").at("message").get<std::string>();
  } catch (const JsonError&) {
  } catch (const Json::exception&) {
  }
  std::string text(trim(said));
  return text.substr(0, std::min<std::size_t>(text.find('\n'), 500));
}

// Why a campaign ended, which its answer says where it is no error.
std::string sentence_of(const std::string& answer) {
  try {
    return parse_json(read_file(answer)).value("sentence", "");
  } catch (const Error&) {
  } catch (const JsonError&) {
  } catch (const Json::exception&) {
  }
  return "";
}

How how_of(int exit) {
  if (exit == static_cast<int>(Exit::preempted) || exit == static_cast<int>(Exit::interrupted))
    return How::stopped;
  if (exit >= 128) return How::crashed;
  bool here = exit == static_cast<int>(Exit::store) || exit == static_cast<int>(Exit::unavailable) ||
              exit == static_cast<int>(Exit::remote);
  return here ? How::unable : How::done;
}

class RunningItem {
 public:
  RunningItem(const PlanAttempt& a, PlanHeart& heart, const Session& session)
      : a_(a), heart_(heart), session_(session) {}

  AttemptEnd run() {
    auto began = Steady::now();
    fs::copy(a_.folder.input_of(a_.item), scratch("in"), fs::copy_options::recursive, error_);
    if (error_) throw Error(Exit::remote, "cannot read the item's input: " + error_.message());
    fs::create_directories(scratch("tmp"));
    fs::create_directories(scratch("in/data/strategies"));  // the program's own playbook
    fs::create_directories(scratch("result"));
    heart_.begin(a_.item, a_.number, [this] { keep_state(); });
    AttemptEnd end = a_.item.kind == launch::ItemKind::tune ? command(tune_words()) : campaign();
    heart_.end();
    end.wall_s = std::chrono::duration<double>(Steady::now() - began).count();
    if (end.how == How::stopped) try_to_keep_state();
    if ((end.how == How::done || end.how == How::crashed) && !keep_result()) end.how = How::stopped;
    return end;
  }

 private:
  std::string scratch(const std::string& name) const { return local_.path() + "/" + name; }
  std::string campaign_folder() const { return scratch("result") + "/campaign"; }

  std::vector<std::string> with_globals(std::vector<std::string> words) const {
    words.insert(words.end(), a_.item.options.begin(), a_.item.options.end());
    words.insert(words.end(), {"--json", "--quiet", "--db", database_, "--data", scratch("in/data")});
    return words;
  }
  std::vector<std::string> tune_words() const { return with_globals({"tune", a_.item.task, a_.item.file}); }

  AttemptEnd campaign() {
    AttemptEnd end;
    if (!resumes())
      end = command(
          with_globals({"campaign", "start", a_.item.task, a_.item.file, "--out", campaign_folder()}));
    bool goes_on = end.how == How::done && end.exit == 0;
    return goes_on ? command(with_globals({"campaign", "run", "--out", campaign_folder()})) : end;
  }

  // Runs it until it ends, we are told to stop, or the item is no longer ours.
  AttemptEnd command(const std::vector<std::string>& words) {
    OwnSetup setup;
    setup.arguments = words, setup.folder = scratch("in/src"), setup.output = scratch("result/answer.json");
    setup.ends_with_us = true;
    setup.environment = a_.environment;
    setup.environment.push_back("TMPDIR=" + scratch("tmp"));
    OwnProgram program(setup);
    std::optional<Steady::time_point> told;
    while (!program.has_ended()) {
      std::this_thread::sleep_for(between_looks);
      if (!told && (stop_signal() != 0 || heart_.lost())) program.send(SIGTERM), told = Steady::now();
      if (told && Steady::now() - *told > patience_with_term) program.kill_all();
    }
    AttemptEnd end{how_of(program.code()), program.code(), complaint_in(program.said()), 0};
    if (end.exit > static_cast<int>(Exit::negative) && end.said.empty()) end.said = sentence_of(setup.output);
    if (heart_.lost()) end.how = How::lost;
    if (told && end.how != How::lost && end.how != How::done) end.how = How::stopped;
    return end;
  }

  // Takes over what an earlier attempt came to, when its clock was of our kind and its baseline is judged.
  bool resumes() {
    for (int n = a_.number - 1; n > 0; --n) {
      auto state = a_.folder.kept(a_.item, fmt::format("state-{}", n));
      auto facts = state ? std::optional(read_machine(*state)) : std::nullopt;
      if (!facts || *facts != a_.machine) continue;
      fs::copy(*state + "/campaign", campaign_folder(), fs::copy_options::recursive, error_);
      if (!error_ && begins_with_a_verdict()) return true;
      fs::remove_all(campaign_folder());
    }
    return false;
  }

  std::string read_machine(const std::string& state) const {
    return fs::exists(state + "/machine") ? std::string(trim(read_file(state + "/machine"))) : "";
  }

  bool begins_with_a_verdict() const {
    try {
      CampaignView view = view_campaign(campaign_folder(), session_);
      return !view.state.versions.empty() && view.state.versions[0].status.has_value();
    } catch (const Error&) {
      return false;
    }
  }

  // A campaign's journal is its truth, so a copy in the midst of an event loses that event and no more.
  void keep_state() {
    const std::string journal = campaign_folder() + "/campaign.jsonl";
    std::error_code none;
    auto size = fs::file_size(journal, none);
    if (none || size == kept_) return;
    write_file(scratch("result/machine"), a_.machine + "\n");
    a_.folder.keep(a_.item, fmt::format("state-{}", a_.number), scratch("result"));
    kept_ = size;
  }

  void try_to_keep_state() {
    try {
      keep_state();
    } catch (const Error&) {  // what the last beat kept is there
    }
  }

  // The folder may be out of reach for a while: nothing is lost by waiting for it, as long as nobody wants us to end; who
  // does gets one more try. False where there is no result: the item is not done then.
  bool keep_result() {
    for (;;) {
      bool last = stop_signal() != 0;
      try {
        a_.folder.keep(a_.item, fmt::format("result-{}", a_.number), scratch("result"));
        return true;
      } catch (const Error&) {
        if (last) return false;
        std::this_thread::sleep_for(std::chrono::duration<double>(a_.folder.plan().beat_s));
      }
    }
  }

  const PlanAttempt& a_;
  PlanHeart& heart_;
  const Session& session_;
  bench::PrivateFolder local_;
  std::string database_ =
      fs::absolute(session_.database()).string();  // the command runs in a folder of its own
  std::error_code error_;
  std::uintmax_t kept_ = 0;
};

}  // namespace

AttemptEnd run_attempt(const PlanAttempt& attempt, PlanHeart& heart, const Session& session) {
  return RunningItem(attempt, heart, session).run();
}

}  // namespace explog::app
