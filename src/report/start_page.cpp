// The page a team looks at in the morning.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/text.h"
#include "report/charts.h"
#include "report/site.h"

namespace explog::report {
namespace {

std::string percent_text(double factor) { return fmt::format("{:+.1f}%", 100 * (factor - 1)); }

// As git abbreviates it; what is not as its commit has it keeps saying so.
std::string short_commit(const std::string& commit) {
  return commit.substr(0, 12) + (commit.size() > 12 && commit.ends_with("-dirty") ? "-dirty" : "");
}

std::string commits_of(const Change& c) {
  if (c.before->commit.empty() && c.after->commit.empty()) return "";
  return short_commit(c.before->commit) + ".." + short_commit(c.after->commit);
}

Block changes_table(const std::string& caption, const std::vector<Change>& changes, Tone tone) {
  if (changes.empty()) return Words{"Nothing that was measured again.", Tone::dim};
  Table table{caption,
              {{"kernel"},
               {"machine"},
               {"shape"},
               {"was, ms", true},
               {"is, ms", true},
               {"time", true},
               {"since"},
               {"commits"}},
              {}};
  for (const Change& c : changes) {
    if (table.rows.size() == 40) break;
    const Attempt& a = *c.after;
    table.rows.push_back(
        {{linked(a.kernel.empty() ? a.kernel_type : a.kernel, "kernel/" + slug(kernel_of(a)) + ".html"),
          machine_of(a), shape_text(a.shape), linked(short_number(c.before->after_ms, 4), home_of(*c.before)),
          linked(short_number(a.after_ms, 4), home_of(a)), linked(percent_text(c.factor), home_of(a), tone),
          day_of(c.before->at_ms) + " to " + day_of(a.at_ms), commits_of(c)}});
  }
  return table;
}

std::vector<double> times_of(const Line& line) {
  std::vector<double> values;
  std::size_t step = std::max<std::size_t>(line.kept.size() / 40, 1);
  for (std::size_t i = 0; i < line.kept.size(); i += step) values.push_back(line.kept[i]->after_ms);
  return values;
}

Row kernel_row(const Everything& all, const Line& line, std::int64_t newest) {
  Row row;
  row.cells = {linked(line.kernel, "kernel/" + slug(line.kernel) + ".html"), line.backend,
               linked(line.machine, "machine/" + slug(line.machine) + ".html")};
  Cell spark;
  if (line.kept.size() > 1)
    spark.picture = sparkline(line.kernel + ": kept versions over time", times_of(line));
  row.cells.push_back(std::move(spark));
  if (line.best == nullptr) {
    for (int i = 0; i < 4; ++i) row.cells.emplace_back();
  } else {
    const Attempt& best = *line.best;
    row.cells.push_back(linked(short_number(best.after_ms, 4), home_of(best)));
    auto roof = line.profiled == nullptr ? all.roofs.end() : all.roofs.find(line.profiled->id);
    row.cells.push_back(
        roof == all.roofs.end() || roof->second.share <= 0
            ? Cell()
            : linked(fmt::format("{:.0f}%", 100 * roof->second.share), home_of(*line.profiled)));
    row.cells.push_back(linked(best.kernel.empty() ? best.strategy : best.kernel, home_of(best)));
    double days = static_cast<double>(newest - best.at_ms) / 86400e3;
    row.cells.push_back(ordered(days, fmt::format("{:.0f} d", days), home_of(best)));
  }
  row.cells.push_back(linked(std::to_string(line.n), "kernel/" + slug(line.kernel) + ".html"));
  return row;
}

Section kernels_section(const Everything& all, const Index& index) {
  constexpr std::size_t most = 150;
  Table table{"a kernel on a machine, its best kept version at its most frequent shape",
              {{"kernel"},
               {"backend"},
               {"machine"},
               {"over time"},
               {"best, ms", true},
               {"of the roof", true},
               {"best version"},
               {"age", true},
               {"records", true}},
              {}};
  std::vector<const Line*> lines;
  for (const Line& line : index.lines) lines.push_back(&line);
  std::stable_sort(lines.begin(), lines.end(), [](const Line* a, const Line* b) { return a->n > b->n; });
  std::int64_t newest = all.attempts.empty() ? 0 : all.attempts.back().at_ms;
  for (const Line* line : lines) {
    if (table.rows.size() == most) break;
    table.rows.push_back(kernel_row(all, *line, newest));
  }
  Section section{"Kernels", {}};
  if (lines.size() > most)
    section.blocks.emplace_back(Words{fmt::format("The {} with most records of {}.", most, lines.size())});
  section.blocks.emplace_back(std::move(table));
  return section;
}

// The median, as `stats` says it, with the record in the middle behind it: of an even number the lower of two.
Cell median_gain(std::vector<const Attempt*> gains) {
  if (gains.empty()) return {};
  std::sort(gains.begin(), gains.end(), [](const Attempt* a, const Attempt* b) {
    return std::tie(a->speedup, a->id) < std::tie(b->speedup, b->id);
  });
  const Attempt& lower = *gains[(gains.size() - 1) / 2];
  double median = (lower.speedup + gains[gains.size() / 2]->speedup) / 2;
  return linked(fmt::format("{:.2f}x", median), home_of(lower));
}

Section strategies_section(const Everything& all, const Index& index) {
  Table table{
      "strategies with at least three records, by how often they helped",
      {{"strategy"}, {"what"}, {"records", true}, {"helped", true}, {"median gain when it helps", true}},
      {}};
  struct Entry {
    const std::string* id;
    std::size_t n = 0, helped = 0;
    std::vector<const Attempt*> gains = {};  // that say by how much
  };
  std::vector<Entry> list;
  for (const auto& [id, records] : index.strategies) {
    Entry entry{&id, records.size()};
    for (const Attempt* a : records) {
      if (a->outcome != "success") continue;
      ++entry.helped;
      if (a->speedup > 0) entry.gains.push_back(a);
    }
    if (entry.n >= 3) list.push_back(std::move(entry));
  }
  auto paid = [](const Entry& e) {
    return (static_cast<double>(e.helped) + 1) / (static_cast<double>(e.n) + 3);
  };
  std::stable_sort(list.begin(), list.end(),
                   [&](const Entry& a, const Entry& b) { return paid(a) > paid(b); });
  for (const Entry& e : list) {
    auto title = all.titles.find(e.id->substr(0, e.id->find(':')));
    double share = 100 * static_cast<double>(e.helped) / static_cast<double>(e.n);
    std::string page = "strategy/" + slug(*e.id) + ".html", records = page + "#s-records";
    table.rows.push_back({{linked(*e.id, page), title == all.titles.end() ? "" : title->second,
                           linked(std::to_string(e.n), records),
                           linked(fmt::format("{:.0f}%", share), records), median_gain(e.gains)}});
    if (table.rows.size() == 60) break;
  }
  return {"What paid", {std::move(table)}};
}

Section campaigns_section(const Everything& all, const Index& index) {
  Section section{"Campaigns", {}};
  Table open{"open: a next version is wanted, or a look",
             {{"campaign"}, {"task"}, {"state"}, {"versions", true}, {"folder"}},
             {}};
  for (const OpenCampaign& c : all.open) {
    std::string page = index.campaigns.contains(c.id) ? "campaign/" + slug(c.id) + ".html" : "";
    open.rows.push_back(
        {{linked(c.id, page), c.task, c.state,
          linked(std::to_string(c.versions), page.empty() ? "" : page + "#s-records"), c.folder}});
  }
  if (open.rows.empty())
    section.blocks.emplace_back(Words{"No campaign is open here.", Tone::dim});
  else
    section.blocks.emplace_back(std::move(open));
  std::vector<const std::pair<const std::string, std::vector<const Attempt*>>*> list;
  for (const auto& campaign : index.campaigns) list.push_back(&campaign);
  std::stable_sort(list.begin(), list.end(),
                   [](auto* a, auto* b) { return a->second.back()->at_ms > b->second.back()->at_ms; });
  Table newest{
      "the newest",
      {{"campaign"}, {"kernel"}, {"machine"}, {"records", true}, {"helped", true}, {"day", false, true}},
      {}};
  for (const auto* campaign : list) {
    if (newest.rows.size() == 60) break;
    const auto& records = campaign->second;
    auto helped =
        std::count_if(records.begin(), records.end(), [](auto* a) { return a->outcome == "success"; });
    std::string page = "campaign/" + slug(campaign->first) + ".html", rows = page + "#s-records";
    newest.rows.push_back({{linked(campaign->first, page), kernel_of(*records.back()),
                            machine_of(*records.back()), linked(std::to_string(records.size()), rows),
                            linked(std::to_string(helped), rows), day_of(records.back()->at_ms)}});
  }
  section.blocks.emplace_back(std::move(newest));
  return section;
}

// "dram 4.24 TB/s, fp32 65.6 TFLOP/s".
std::string rates_text(const Machine& m) {
  std::string text;
  for (const auto& [name, value] : m.rates) {
    std::string what = replace_all(replace_all(name, "_bytes_per_s", ""), "_flops", "");
    text += (text.empty() ? "" : ", ") + replace_all(what, "_", " ") + " " + rate_text(name, value);
  }
  return text;
}

Section machines_section(const Everything& all, const Index& index) {
  Table table{"machines", {{"machine"}, {"records", true}, {"measured ceilings"}}, {}};
  for (const auto& [name, records] : index.machines) {
    std::string page = "machine/" + slug(name) + ".html";
    Cell rates("none: `explog doctor --ceilings` measures them", Tone::dim);
    for (const Machine& m : all.machines) {
      if (m.name == name && !m.rates.empty()) rates = linked(rates_text(m), page + "#s-ceilings");
    }
    table.rows.push_back({{linked(name, page), linked(std::to_string(records.size()), page), rates}});
  }
  return {"Machines", {std::move(table)}};
}

}  // namespace

std::vector<Section> start_sections(const Everything& all, const Index& index) {
  std::vector<Section> sections;
  sections.push_back(
      {"What got worse", {changes_table("slower than when it was last measured", index.worse, Tone::bad)}});
  sections.push_back({"What got better",
                      {changes_table("faster than when it was last measured", index.better, Tone::good)}});
  sections.push_back(kernels_section(all, index));
  sections.push_back(strategies_section(all, index));
  sections.push_back(campaigns_section(all, index));
  sections.push_back(machines_section(all, index));
  for (const Section& section : all.extra) sections.push_back(section);
  return sections;
}

}  // namespace explog::report
