#include <chrono>
#include <filesystem>
#include <sstream>

#include "answers/answer.h"
#include "answers/campaign.h"
#include "app/campaign/watch.h"
#include "base/error.h"
#include "base/text.h"
#include "mcp/tool.h"
#include "model/backend.h"

namespace explog::mcp {
namespace {

namespace fs = std::filesystem;

constexpr double longest_wait_s = 50;  // clients give a call up after 60

std::vector<std::string> action_words() { return {"start", "next", "status", "report"}; }

// A path of the client's, which must lie under `base` once links are followed. Throws Error(usage).
std::string path_inside(const std::string& path, const fs::path& base, const char* parameter) {
  std::error_code none;
  fs::path root = fs::weakly_canonical(fs::absolute(base), none);
  fs::path found = fs::weakly_canonical(fs::absolute(path), none);
  auto [end, unused] = std::mismatch(root.begin(), root.end(), found.begin(), found.end());
  if (end == root.end()) return found.string();
  throw Error(Exit::usage,
              std::string(parameter) + ": " + printable(path) + " lies outside of " + root.string(),
              "start explog mcp in the folder of your kernels");
}

std::string campaign_folder(const Json& arguments) {
  std::string named = text_of(arguments, "campaign");
  return app::CampaignFolder::find(named.empty() ? "" : path_inside(named, ".", "campaign"));
}

// Asked until the client's patience, or the client, is gone.
std::function<bool()> until(const Json& arguments, const Call& call) {
  using namespace std::chrono;
  double wait = number_of(arguments, "wait_s", longest_wait_s);
  auto begin = steady_clock::now();
  return [&call, begin, wait, told = 0.0]() mutable {
    double passed = duration<double>(steady_clock::now() - begin).count();
    if (passed > told + 5) told = passed, call.progress("judging");
    return passed < wait && call.wanted();
  };
}

struct Page {
  std::ostringstream text, unused;
  answers::Terminal terminal{.out = text, .err = unused};
};

// With the newest versions as far as there is room: what a client goes by, the state, is never cut.
template <class Written>
Answer within_budget(const Json& arguments, std::size_t versions, Written written) {
  const std::size_t room = is_set(arguments, "full") ? full_budget : usual_budget;
  for (std::size_t most = versions;; most = most * 3 / 4) {
    Answer answer = written(most);
    if (most < 2 || answer.data.size() + written_size(answer.text) + envelope < room) return answer;
  }
}

Answer standing(const Json& arguments, const app::CampaignView& view) {
  return within_budget(arguments, view.state.versions.size(), [&](std::size_t most) {
    Page page;
    answers::print_campaign(page.terminal, view, most);
    return Answer{answers::campaign_json(view, most), page.text.str()};
  });
}

Answer start(const Json& arguments, const Call& call) {
  if (!call.may_run_code)
    throw Error(Exit::unavailable, "start builds and runs the kernel, which this server may not",
                "`explog mcp --allow judge` allows it; a person can run `explog campaign start`");
  app::CampaignStart start;
  start.task = text_of(arguments, "task");
  start.file = text_of(arguments, "file");
  if (start.task.empty() || start.file.empty())
    throw Error(Exit::usage, "start: task and file are needed",
                "task: softmax, or a folder with a task.json");
  start.file = path_inside(start.file, ".", "file");
  if (fs::exists(start.task)) start.task = path_inside(start.task, ".", "task");
  start.out = path_inside(text_of(arguments, "campaign", "runs/" + fs::path(start.task).filename().string()),
                          ".", "campaign");
  start.backend = text_of(arguments, "backend"), start.arch = text_of(arguments, "arch");
  start.rules = text_of(arguments, "rules", "seed");
  start.limits.max_versions =
      static_cast<int>(number_of(arguments, "max_versions", start.limits.max_versions));
  start.limits.shape_s = number_of(arguments, "max_time_s", start.limits.shape_s);
  start.noise_percent = number_of(arguments, "noise_percent", 0);
  return standing(arguments, app::start_campaign_apart(start, call.session, until(arguments, call)));
}

Answer next(const Json& arguments, const Call& call) {
  app::NextStep step = app::next_step_to_write(
      campaign_folder(arguments), static_cast<int>(number_of(arguments, "limit", 5)), call.session);
  return within_budget(arguments, step.campaign.state.versions.size(), [&](std::size_t most) {
    Page page;
    answers::print_next(page.terminal, step, most);
    return Answer{answers::next_json(step, most), page.text.str()};
  });
}

Answer status(const Json& arguments, const Call& call) {
  std::string folder = campaign_folder(arguments);
  if (!arguments.contains("wait_s")) return standing(arguments, app::view_campaign(folder, call.session));
  return standing(arguments, app::await_verdict(folder, call.session, until(arguments, call)));
}

Answer report(const Json& arguments, const Call& call) {
  std::string path = app::report_campaign(campaign_folder(arguments), false, call.session);
  JsonWriter json;
  answers::begin_answer(json);
  json.field("report", path);
  json.end_object();
  return {json.take(), path + "\n\n" + printable(call.session.read(path), false)};
}

Answer judging(const app::ApartRuling& ruling) {
  const std::string then = "explog_judge with the same source goes on waiting";
  return {answers::judging_json(ruling.campaign, then), "judging; " + then + "\n"};
}

std::vector<campaign::Expectation> expected(const Json& arguments) {
  std::vector<campaign::Expectation> list;
  if (auto given = arguments.find("expect"); given != arguments.end()) {
    for (const auto& [metric, percent] : given->items()) list.push_back({metric, percent.get<double>()});
  }
  return list;
}

app::VersionToJudge version_from(const Json& arguments, const std::string& folder) {
  app::VersionToJudge version;
  version.by = "agent";
  version.strategy = text_of(arguments, "strategy");
  version.hypothesis = text_of(arguments, "hypothesis"), version.rationale = text_of(arguments, "rationale");
  version.expect = expected(arguments);
  bool sent = arguments.contains("source");
  if (sent == arguments.contains("file"))
    throw Error(Exit::usage,
                "give either source, the version's text, or file, its path in the campaign's folder");
  if (sent)
    version.source = bench::SourceFile{"version", folder, text_of(arguments, "source")};
  else
    version.file = path_inside(text_of(arguments, "file"), folder, "file");
  return version;
}

}  // namespace

std::vector<Parameter> campaign_parameters() {
  return {
      {"action", Kind::text, "what to do", true, 0, 0, action_words},
      {"campaign", Kind::text, "its folder; without it the only one here (start: runs/TASK)", false, 0, 1000},
      {"task", Kind::text, "start: what the kernel must compute: softmax, or a folder", false, 0, 1000},
      {"file", Kind::text, "start: the kernel's file, under the server's folder", false, 0, 1000},
      {"backend", Kind::text, "start: how it is built, else by its ending", false, 0, 0, backend_names},
      {"arch", Kind::text, "start: else the GPU here", false, 0, 40},
      {"rules", Kind::text, "start: what ends it", false, 0, 0, campaign::rule_names},
      {"max_versions", Kind::whole, "start: versions judged at most", false, 1, 1000},
      {"max_time_s", Kind::number, "start: seconds of timing a shape at most", false, 0.1, 3600},
      {"noise_percent", Kind::number, "start: how well the baseline must be known", false, 0, 100},
      {"limit", Kind::whole, "next: suggestions at most; 5 without it", false, 1, 30},
      {"wait_s", Kind::number, "start, status: wait for the verdict so long", false, 0, longest_wait_s},
      {"full", Kind::yes_no, "up to 64 KB instead of 8"}};
}

Answer run_campaign(const Json& arguments, Call& call) {
  std::string action = text_of(arguments, "action");
  if (action == "start") return start(arguments, call);
  if (action == "next") return next(arguments, call);
  return action == "report" ? report(arguments, call) : status(arguments, call);
}

std::vector<Parameter> judge_parameters() {
  return {{"campaign", Kind::text, "its folder; without it the only one here", false, 0, 1000},
          {"source", Kind::text, "the version's text; or give file", false, 0, 262144},
          {"file", Kind::text, "its path, in the campaign's folder", false, 0, 1000},
          {"strategy", Kind::text, "what was changed: an id of the playbook", true, 0, 120},
          {"hypothesis", Kind::text, "what it should do", false, 0, 2000},
          {"rationale", Kind::text, "why", false, 0, 2000},
          {"expect", Kind::numbers, "counters and how they should move, in percent"},
          {"wait_s", Kind::number, "at most; 50 without it", false, 0, longest_wait_s}};
}

Answer run_judge(const Json& arguments, Call& call) {
  std::string folder = campaign_folder(arguments);
  app::ApartRuling ruling =
      app::judge_version_apart(folder, version_from(arguments, folder), call.session, until(arguments, call));
  if (!ruling.version) return judging(ruling);
  app::Ruling told{ruling.campaign, *ruling.version, ruling.known, "", ruling.refused};
  Page page;
  answers::print_ruling(page.terminal, told);
  return {answers::ruling_json(told), page.text.str()};
}

}  // namespace explog::mcp
