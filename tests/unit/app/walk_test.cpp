// Walks over the ladders that ship: the verdicts are made of the times that were measured of their steps.
#include "app/campaign/walk.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "app/campaign/sources.h"
#include "base/file.h"
#include "bench/find_source.h"
#include "bench/ladder.h"
#include "scratch.h"
#include "shipped_session.h"
#include "store/open.h"

using namespace explog;

namespace {

constexpr double reached = 0.95;        // of the speed of the ladder's best step
constexpr std::size_t looks_ahead = 7;  // of what may come next

// What the ladders are written in, and where their steps that ship were measured.
struct Language {
  std::string backend, ending, naive, gpu;
};
const Language cuda = {"cuda", ".cu", "naive.cu", "NVIDIA H200"};

Language in_python(const std::string& backend) {
  return {backend, ".py", backend + "_naive.py", "NVIDIA H100 80GB HBM3"};
}

// A family's task and the milliseconds of its ladder's steps by their source.
struct Ladder {
  Language language;
  bench::FoundTask found;
  std::map<std::string, double> ms;

  double best_ms() const {
    return std::min_element(ms.begin(), ms.end(), [](auto& a, auto& b) { return a.second < b.second; })
        ->second;
  }
};

// At the second of the timed shapes, as `scripts/gpu/campaign --one-shape` walks.
Ladder ladder_of(const std::string& family, const Language& language, const std::vector<bench::Step>& steps,
                 sql::Db& db) {
  Ladder ladder{language, bench::find_task(family, ""), {}};
  const auto& timed = ladder.found.task.backends.front().timed;
  std::string shape;
  for (const auto& [name, size] : timed[timed.size() > 1 ? 1 : 0])
    shape += fmt::format(" AND json_extract(shape, '$.{}') = {}", name, size);
  for (const bench::Step& step : steps) {
    if (step.task != family) continue;
    sql::Stmt times(db,
                    "SELECT latency_before_ms, latency_after_ms FROM experience WHERE kernel = ? AND "
                    "gpu = ? AND campaign = 'calibrate' AND correctness = 'pass'" +
                        shape);
    times.bind(1, sql::Value(family + "/" + step.file)).bind(2, sql::Value(language.gpu));
    if (!times.step()) continue;
    if (step.after == language.naive)
      ladder.ms[bench::source_of(ladder.found, step.after).text] = times.real(0);
    ladder.ms[bench::source_of(ladder.found, step.file).text] = times.real(1);
  }
  return ladder;
}

// A campaign from the naive kernel, or from one of somebody's own that takes `own_ms`, whose versions get the ladder's times;
// what is no step of it changes nothing.
class Walk {
 public:
  Walk(const Ladder& ladder, const std::string& folder, const app::Session& session, double own_ms = 0)
      : ladder_(ladder), folder_(folder), session_(session), own_ms_(own_ms) {
    campaign::Contract c;
    c.id = "walk", c.task = ladder.found.task.name, c.task_hash = ladder.found.hash;
    c.kernel_type = ladder.found.task.kernel_type, c.backend = ladder.language.backend, c.arch = "sm_90a";
    c.dtype = dtype_name(ladder.found.task.arguments.front().dtype);
    c.baseline = {ladder.language.naive, ""}, c.rules = campaign::Rules::explore, c.limits.max_versions = 25;
    c.created = "2026-01-02T03:04:05Z";
    app::CampaignFolder::create(folder_, c);
    append(campaign::Started{"0", false});
    app::VersionToJudge first;
    first.source = bench::source_of(ladder.found, ladder.language.naive);
    if (own_ms_ > 0) first.source->text += "// mine\n";
    judge(first, 0);
  }

  // One more version; false when nothing is left.
  bool step() {
    app::NextStep next = app::next_step(folder_, 5, session_);
    auto proposal = next.edit.empty() ? std::nullopt : app::propose_by_walking(next, 0, session_);
    if (!proposal) return false;
    foreseen_ += expected_.contains(proposal->version.source->text);
    const std::vector<bench::SourceFile>& later = proposal->later;
    for (std::size_t i = 0; i < std::min(later.size(), looks_ahead); ++i) expected_.insert(later[i].text);
    judge(proposal->version, next.campaign.state.champion);
    return true;
  }

  // By the file of the ladder that a version is.
  std::map<std::string, campaign::Proposed> proposals() const {
    std::map<std::string, campaign::Proposed> by_file;
    for (const campaign::Version& v : app::view_campaign(folder_, session_).state.versions) {
      for (const bench::Step& step : bench::ladder_steps(ladder_.language.backend)) {
        if (step.task != ladder_.found.task.name) continue;
        const std::string text =
            read_file(fmt::format("{}/v{}/{}", folder_, v.proposal.version, v.proposal.file));
        if (text == bench::source_of(ladder_.found, step.file).text) by_file[step.file] = v.proposal;
      }
    }
    return by_file;
  }

  int versions() const { return static_cast<int>(ms_.size()) - 1; }
  int foreseen() const { return foreseen_; }  // versions that were said to come next before they came
  int steps_of_ladder() const { return steps_; }
  double part() const { return ladder_.best_ms() / *std::min_element(ms_.begin(), ms_.end()); }

 private:
  void append(campaign::Happening what) { app::CampaignFolder(folder_, session_).append(std::move(what)); }

  void judge(const app::VersionToJudge& version, int parent) {
    const int number = static_cast<int>(ms_.size());
    const bench::SourceFile& source = *version.source;
    auto known = ladder_.ms.find(source.text);
    const double before = number > 0    ? ms_[static_cast<std::size_t>(parent)]
                          : own_ms_ > 0 ? own_ms_
                                        : known->second;
    const double ms = known == ladder_.ms.end() ? before : known->second;
    steps_ += known != ladder_.ms.end();
    ms_.push_back(ms);
    campaign::Proposed p;
    p.version = number, p.parent = parent, p.by = "walk";
    p.strategy = version.strategy, p.hypothesis = version.hypothesis, p.rationale = version.rationale;
    p.file = fmt::format("v{}{}", number, ladder_.language.ending), p.source = app::identity_of(source);
    const std::string folder = fmt::format("{}/v{}", folder_, number);
    std::filesystem::create_directories(folder);
    app::put_includes(source, folder);
    write_file(folder + "/" + p.file, source.text);
    append(p);
    append(campaign::Judging{number, 1});
    campaign::Judged j;
    const double faster = before / ms;
    const bool gains = faster > 1.02;
    j.version = number, j.verdict = gains ? "keep" : "revert", j.reason = gains ? "faster" : "no_change";
    j.ms = ms, j.gpu = ladder_.language.gpu, j.arch = "sm_90a",
    j.faster = {faster, 0.995 * faster, 1.005 * faster};
    append(j);
  }

  const Ladder& ladder_;
  std::string folder_;
  const app::Session& session_;
  std::vector<double> ms_;
  double own_ms_ = 0;
  int steps_ = 0, foreseen_ = 0;
  std::set<std::string> expected_;  // sources that may come
};

// Versions that walks of all families take to come near the best steps of their ladders; [1]: with the records that ship.
struct Taken {
  int families = 0, versions[2] = {0, 0}, foreseen = 0;
};

// Calls `use` with the family and its ladder for each family of which two steps or more were measured; how many these are.
template <class Use>
int each_ladder(const Language& language, const app::Session& records, Use&& use) {
  sql::Db db = records.reader();
  store::create_views(db);
  const std::vector<bench::Step> steps = bench::ladder_steps(language.backend);
  std::string family;
  int families = 0;
  for (const bench::Step& step : steps) {
    if (step.task == family) continue;
    family = step.task;
    const Ladder ladder = ladder_of(family, language, steps, db);
    if (ladder.ms.size() < 2) continue;
    ++families;
    use(family, ladder);
  }
  return families;
}

void come_near(Walk& walk) {
  while (walk.part() < reached && walk.versions() < 12 && walk.step()) {
  }
}

Taken walk_all(const Language& language) {
  Scratch scratch;
  const app::Session records = session_on(scratch / "records.db", true),
                     none = session_on(scratch / "none.db", false);
  Taken taken;
  taken.families = each_ladder(language, records, [&](const std::string& family, const Ladder& ladder) {
    for (bool with_records : {true, false}) {
      Walk walk(ladder, scratch / (family + (with_records ? "" : "-none")), with_records ? records : none);
      come_near(walk);
      const std::string name = language.backend + (with_records ? ", " : ", without records, ") + family;
      CHECK_MESSAGE(walk.part() >= reached, name, ": ", walk.part(), " of the best after ", walk.versions());
      taken.versions[with_records] += walk.versions();
      taken.foreseen += walk.foreseen();
    }
  });
  MESSAGE(language.backend, ": ", taken.versions[true], " versions in ", taken.families,
          " families; without records ", taken.versions[false], "; ", taken.foreseen, " foreseen");
  const int firsts = 2 * taken.families;  // nobody could foresee these
  CHECK(10 * taken.foreseen >= 9 * (taken.versions[true] + taken.versions[false] - firsts));
  return taken;
}

}  // namespace

TEST_CASE("a walk comes near the best step of each ladder within 12 versions, without records too") {
  Taken taken = walk_all(cuda);
  CHECK(taken.families >= 16);
  CHECK(taken.versions[true] <= 2 * taken.families);
  CHECK(2 * taken.versions[true] <= taken.versions[false]);  // records know the way up
  CHECK(taken.versions[false] <= 6 * taken.families);
}

TEST_CASE("so does one over a ladder in Triton, cuTile or CuTe DSL") {
  CHECK(walk_all(in_python("triton")).families == 4);
  CHECK(walk_all(in_python("cutile")).families == 5);
  CHECK(walk_all(in_python("cutedsl")).families == 1);
}

TEST_CASE("a kernel of somebody's own meets the step that promises most, and goes on if it is better") {
  Scratch scratch;
  const app::Session records = session_on(scratch / "records.db", true),
                     none = session_on(scratch / "none.db", false);
  Taken taken;
  int in_vain = 0;
  taken.families = each_ladder(cuda, records, [&](const std::string& family, const Ladder& ladder) {
    for (bool with_records : {true, false}) {
      Walk slow(ladder, scratch / (family + (with_records ? "-slow" : "-none")),
                with_records ? records : none, ladder.ms.at(bench::source_of(ladder.found, "naive.cu").text));
      come_near(slow);
      CHECK_MESSAGE((slow.part() >= reached || !with_records), family, ": ", slow.part(), " of the best");
      taken.versions[with_records] += slow.versions();
    }
    Walk fast(ladder, scratch / (family + "-fast"), records, 0.95 * ladder.best_ms());
    while (fast.versions() < 6 && fast.step()) {
    }
    in_vain += fast.steps_of_ladder();
  });
  MESSAGE(taken.families, " families: ", taken.versions[true], " versions from the naive kernel's speed, ",
          taken.versions[false], " without records; ", in_vain, " of ", 6 * taken.families,
          " are steps of ladders for what is faster than all of them");
  CHECK(taken.versions[true] <= 2 * taken.families);
  CHECK(taken.versions[true] < taken.versions[false]);
  CHECK(in_vain <= 2 * taken.families);
}

// As in strategies/cases/softmax_triton_h200: what gains lies behind a step that did not.
TEST_CASE("a version that takes in a step which was reverted names all changes") {
  Scratch scratch;
  const app::Session none = session_on(scratch / "none.db", false);
  const Language triton = in_python("triton");
  Ladder ladder{triton, bench::find_task("softmax", ""), {}};
  const std::map<std::string, double> ms = {{"triton_naive.py", 9},      {"triton_online.py", 8},
                                            {"triton_row.py", 4},        {"triton_row_warps.py", 4},
                                            {"triton_rows.py", 4},       {"triton_exp2.py", 2},
                                            {"triton_streaming.py", 1.5}};
  for (const auto& [file, time] : ms) ladder.ms[bench::source_of(ladder.found, file).text] = time;
  Walk walk(ladder, scratch / "walk", none);
  while (walk.versions() < 25 && walk.step()) {
  }
  const auto proposals = walk.proposals();
  REQUIRE(proposals.contains("triton_exp2.py"));
  REQUIRE(proposals.contains("triton_streaming.py"));
  const campaign::Proposed& past = proposals.at("triton_exp2.py");
  CHECK(past.strategy == "triton_num_warps+thread_coarsening+triton_exp2_math");
  CHECK(past.rationale ==
        "the step triton_exp2.py of the ladder of softmax; it brings triton_num_warps, thread_coarsening as "
        "well");
  CHECK(past.hypothesis.starts_with("over triton_rows.py: nothing (within 2%)"));
  CHECK(proposals.at("triton_streaming.py").strategy == "streaming_cache_hints");
  CHECK(proposals.at("triton_row.py").strategy == "triton_block_shapes");
}
