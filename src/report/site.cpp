#include "report/site.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/date.h"
#include "base/parallel.h"
#include "base/text.h"
#include "report/campaign_page.h"
#include "report/charts.h"

namespace explog::report {
namespace {

// Dated by its newest record, so that a page stays as it is while nothing of it is new.
Page page_named(const std::vector<const Attempt*>& records, const std::string& title, const std::string& up) {
  Page page;
  page.title = title;
  page.up = up;
  page.made = records.empty() ? "no record" : date_text(records.back()->at_ms);
  page.links = {{"explog", "index.html"}, {"campaigns", "campaigns.html"}, {"trends", "trends.html"}};
  return page;
}

std::vector<const Attempt*> newest_of(const Everything& all) {
  if (all.attempts.empty()) return {};
  return {&all.attempts.back()};
}

std::vector<const Attempt*> shown_of(const std::vector<const Attempt*>& records, bool of_campaigns) {
  std::vector<const Attempt*> list;
  for (auto it = records.rbegin(); it != records.rend() && list.size() < 140; ++it) {
    if ((*it)->shown && (of_campaigns || (*it)->campaign.empty())) list.push_back(*it);
  }
  return list;
}

std::vector<const Attempt*> newest_records(const std::vector<const Attempt*>& records, std::size_t most) {
  std::size_t n = std::min(records.size(), most);
  return {records.rbegin(), records.rbegin() + static_cast<long>(n)};
}

std::string left_out(std::size_t shown, std::size_t all, const std::string& search) {
  if (shown >= all) return "";
  return fmt::format("{} of {} records; the rest: explog search '{}' --limit 0", shown, all, search);
}

Section records_section(const std::vector<const Attempt*>& shown, std::size_t all,
                        const std::string& search) {
  Section section{"Records", {}};
  if (std::string rest = left_out(shown.size(), all, search); !rest.empty())
    section.blocks.emplace_back(Words{rest, Tone::dim});
  section.blocks.emplace_back(attempts_table("records, the newest first", shown, true));
  return section;
}

std::vector<TrendPoint> points_of(const Line& line) {
  std::vector<TrendPoint> points;
  std::size_t step = std::max<std::size_t>(line.kept.size() / 200, 1);
  for (std::size_t i = line.kept.size() % step; i < line.kept.size(); i += step) {
    const Attempt& a = *line.kept[i];
    bool sure = a.lo > 0 && a.hi > 0 && a.speedup > 0;
    points.push_back({a.at_ms, a.after_ms, sure ? a.after_ms * a.speedup / a.hi : a.after_ms,
                      sure ? a.after_ms * a.speedup / a.lo : a.after_ms,
                      day_of(a.at_ms) + " " + short_id(a.id) + ": " + ms_words(a.after_ms)});
  }
  return points;
}

std::string name_of(const Line& line) {
  return line.kernel + " (" + line.backend + ", " + line.machine + ")";
}

// Of a site the page of each record, of a single report its row where it has one.
using Home = std::function<std::string(const Attempt&)>;

Figure trend_figure(const Line& line, const Home& home) {
  Table behind{"kept versions of " + name_of(line), {{"day"}, {"version"}, {"ms", true}, {"record"}}, {}};
  for (auto it = line.kept.rbegin(); it != line.kept.rend() && behind.rows.size() < 40; ++it) {
    const Attempt& a = **it;
    behind.rows.push_back({{day_of(a.at_ms), a.kernel.empty() ? a.strategy : a.kernel,
                            short_number(a.after_ms, 4), linked(short_id(a.id), home(a))}});
  }
  return {"Kept versions of " + name_of(line) + " over time, at " +
              (line.best->shape.empty() ? "its shape" : shape_text(line.best->shape)) + ".",
          trend("time of kept versions of " + name_of(line), points_of(line)), std::move(behind)};
}

Page kernel_page(const Everything& all, const Index& index, const std::string& kernel,
                 const std::vector<const Attempt*>& records) {
  std::vector<const Line*> lines;
  for (const Line& line : index.lines) {
    if (line.kernel == kernel) lines.push_back(&line);
  }
  Page page = page_named(records, kernel, "../");
  const std::string& type = records.front()->kernel_type;
  page.lead = fmt::format("{} records{}.", records.size(), type == kernel ? "" : " of " + type);
  page.sections = kernel_sections(all, lines, records, true);
  return page;
}

Page campaign_page(const std::string& id, const std::vector<const Attempt*>& records) {
  Page page = page_named(records, "Campaign " + id, "../");
  page.sections = campaign_sections(campaign_of(id, records));
  page.sections.push_back(records_section(shown_of(records, true), records.size(), "campaign:" + id));
  return page;
}

Page strategy_page(const Everything& all, const std::string& id, const std::vector<const Attempt*>& records) {
  Page page = page_named(records, id, "../");
  auto title = all.titles.find(id.substr(0, id.find(':')));
  auto helped =
      std::count_if(records.begin(), records.end(), [](auto* a) { return a->outcome == "success"; });
  page.lead = fmt::format("{}{} records, {} of them faster.",
                          title == all.titles.end() ? "" : title->second + ". ", records.size(), helped);
  std::map<std::string, std::pair<std::size_t, std::size_t>> by_kernel;
  for (const Attempt* a : records) {
    auto& [n, won] = by_kernel[kernel_of(*a)];
    ++n, won += a->outcome == "success" ? 1 : 0;
  }
  Table kernels{"where it was tried", {{"kernel"}, {"records", true}, {"helped", true}}, {}};
  for (const auto& [kernel, counts] : by_kernel)
    kernels.rows.push_back({{linked(kernel, "kernel/" + slug(kernel) + ".html"),
                             linked(std::to_string(counts.first), "#s-records"),
                             linked(std::to_string(counts.second), "#s-records")}});
  std::vector<Strip> gains;
  Table behind{"the newest measured gains", {{"kernel"}, {"faster (99%)", true}, {"record"}}, {}};
  for (auto it = records.rbegin(); it != records.rend() && gains.size() < 30; ++it) {
    const Attempt& a = **it;
    if (a.speedup <= 0) continue;
    std::string label = a.kernel.empty() ? a.kernel_type : a.kernel;
    gains.push_back({label, a.speedup, a.lo, a.hi, short_id(a.id)});
    behind.rows.push_back({{label, faster_words(a.speedup, a.lo, a.hi), linked(short_id(a.id), home_of(a))}});
  }
  page.sections.push_back({"Where it was tried", {std::move(kernels)}});
  page.sections.push_back({"What it gained",
                           {Figure{"The newest gains, and how sure they are.",
                                   strips("gains of " + id, gains), std::move(behind)}}});
  page.sections.push_back(records_section(newest_records(records, 60), records.size(), "strategy:" + id));
  return page;
}

Page machine_page(const Everything& all, const std::string& name,
                  const std::vector<const Attempt*>& records) {
  Page page = page_named(records, name, "../");
  page.lead = fmt::format("{} records.", records.size());
  for (const Machine& m : all.machines) {
    if (m.name != name) continue;
    Table table{"rates that were measured on it", {{"rate"}, {"value", true}}, {}};
    for (const auto& [rate, value] : m.rates) table.rows.push_back({{rate, rate_text(rate, value)}});
    page.sections.push_back(
        {"Ceilings",
         {Facts{{{"arch", m.arch}, {"driver", m.driver}, {"toolkit", m.toolkit}}}, std::move(table)}});
  }
  std::map<std::string, std::size_t> kernels;
  for (const Attempt* a : records) ++kernels[kernel_of(*a)];
  Table table{"kernels on it", {{"kernel"}, {"records", true}}, {}};
  for (const auto& [kernel, n] : kernels)
    table.rows.push_back({{linked(kernel, "kernel/" + slug(kernel) + ".html"),
                           linked(std::to_string(n), "kernel/" + slug(kernel) + ".html")}});
  page.sections.push_back({"Kernels", {std::move(table)}});
  return page;
}

Page campaigns_page(const Everything& all, const Index& index) {
  Page page = page_named(newest_of(all), "Campaigns", "");
  Table table{"all campaigns", {{"campaign"}, {"kernel"}, {"records", true}, {"day", false, true}}, {}};
  for (const auto& [id, records] : index.campaigns)
    table.rows.push_back({{linked(id, "campaign/" + slug(id) + ".html"), kernel_of(*records.back()),
                           linked(std::to_string(records.size()), "campaign/" + slug(id) + ".html#s-records"),
                           day_of(records.back()->at_ms)}});
  page.sections.push_back({"All of them", {std::move(table)}});
  return page;
}

// The kernels with most history; the library zooms, without it there are pictures.
Page trends_page(const Everything& all, const Index& index) {
  constexpr std::size_t most = 40;
  Page page = page_named(newest_of(all), "Trends", "");
  std::vector<const Line*> lines;
  for (const Line& line : index.lines) {
    if (line.kept.size() > 1) lines.push_back(&line);
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](auto* a, auto* b) { return a->kept.size() > b->kept.size(); });
  if (lines.size() > most) lines.resize(most);
  std::string json = "[";
  for (const Line* line : lines) {
    json += fmt::format("{}[\"{}\",[", json.size() > 1 ? "," : "",
                        replace_all(replace_all(printable(name_of(*line)), "\\", "\\\\"), "\"", "\\\""));
    bool first = true;
    for (const TrendPoint& p : points_of(*line)) {
      json += fmt::format("{}[{},{:.6g},{:.6g},{:.6g}]", first ? "" : ",", p.at_ms / 1000, p.lo, p.ms, p.hi);
      first = false;
    }
    json += "]]";
  }
  Section pictures{"As pictures", {}};
  for (const Line* line : lines) pictures.blocks.emplace_back(trend_figure(*line, home_of));
  if (can_zoom() && !lines.empty())
    page.sections.push_back(
        {"Zoom",
         {Words{"Drag to zoom, double-click to go back; without JavaScript the pictures below say the same.",
                Tone::dim},
          Zoom{json + "]"}}});
  page.sections.push_back(std::move(pictures));
  return page;
}

// What a page of this kernel alone has room for: the best of each machine, then the newest.
std::vector<const Attempt*> rows_alone(const std::vector<const Line*>& lines,
                                       const std::vector<const Attempt*>& records) {
  constexpr std::size_t most = 100;
  std::set<const Attempt*> chosen;
  for (const Line* line : lines) {
    for (const Attempt* a : {line->best, line->profiled}) {
      if (a != nullptr) chosen.insert(a);
    }
  }
  for (auto it = records.rbegin(); it != records.rend() && chosen.size() < most; ++it) chosen.insert(*it);
  std::vector<const Attempt*> rows;
  for (auto it = records.rbegin(); it != records.rend(); ++it) {
    if (chosen.contains(*it)) rows.push_back(*it);
  }
  return rows;
}

Section state_section(const Everything& all, const std::vector<const Line*>& lines, const Home& home) {
  Section state{"How fast it is", {}};
  for (const Line* line : lines) {
    if (line->best == nullptr) continue;
    const Attempt& best = *line->best;
    std::string version = best.kernel.empty() ? best.strategy : best.kernel;
    state.blocks.emplace_back(
        Facts{{{"best", linked(fmt::format("{}, {} of {}", ms_words(best.after_ms), version, name_of(*line)),
                               home(best))}}});
    if (line->kept.size() > 1 && state.blocks.size() < 12)
      state.blocks.emplace_back(trend_figure(*line, home));
    auto roof = line->profiled == nullptr ? all.roofs.end() : all.roofs.find(line->profiled->id);
    if (roof != all.roofs.end()) state.blocks.emplace_back(roof->second.picture);
  }
  if (state.blocks.empty()) state.blocks.emplace_back(Words{"No version of it was kept.", Tone::dim});
  return state;
}

}  // namespace

std::vector<Section> kernel_sections(const Everything& all, const std::vector<const Line*>& lines,
                                     const std::vector<const Attempt*>& records, bool links) {
  auto rows = links ? shown_of(records, false) : rows_alone(lines, records);
  Home home = home_of;
  if (!links) {
    std::set<const Attempt*> here(rows.begin(), rows.end());
    home = [here](const Attempt& a) { return here.contains(&a) ? "#" + anchor_of(a) : std::string(); };
  }
  std::vector<Section> sections = {state_section(all, lines, home)};
  std::map<std::string, std::size_t> campaigns;
  for (const Attempt* a : records) {
    if (!a->campaign.empty()) ++campaigns[a->campaign];
  }
  Table table{"campaigns of this kernel", {{"campaign"}, {"records", true}}, {}};
  for (auto it = campaigns.rbegin(); it != campaigns.rend() && table.rows.size() < 200; ++it) {
    std::string page = links ? "campaign/" + slug(it->first) + ".html" : "";
    table.rows.push_back(
        {{linked(it->first, page), linked(std::to_string(it->second), links ? page + "#s-records" : "")}});
  }
  if (!table.rows.empty()) sections.push_back({"Campaigns", {std::move(table)}});
  if (!rows.empty())
    sections.push_back({"Records", {attempts_table("records, the newest first", rows, links)}});
  return sections;
}

std::size_t pages_of(const Index& index) {
  constexpr std::size_t of_all = 3;  // the start, all campaigns, trends
  return of_all + index.kernels.size() + index.campaigns.size() + index.strategies.size() +
         index.machines.size();
}

void write_site(const Everything& all, const Index& index, const std::function<void(SiteFile)>& put) {
  std::vector<std::function<SiteFile()>> pages;
  auto add = [&](std::string path, auto make) {
    pages.emplace_back([path = std::move(path), make] { return SiteFile{path, html(make())}; });
  };
  add("index.html", [&] {
    Page page = page_named(newest_of(all), "What is known of our kernels", "");
    page.lead = fmt::format("{} records of {} kernels on {} machines, {} campaigns.", all.attempts.size(),
                            index.kernels.size(), index.machines.size(), index.campaigns.size());
    page.sections = start_sections(all, index);
    return page;
  });
  add("campaigns.html", [&] { return campaigns_page(all, index); });
  add("trends.html", [&] { return trends_page(all, index); });
  for (const auto& group : index.kernels)
    add("kernel/" + slug(group.first) + ".html",
        [&all, &index, &group] { return kernel_page(all, index, group.first, group.second); });
  for (const auto& group : index.campaigns)
    add("campaign/" + slug(group.first) + ".html",
        [&group] { return campaign_page(group.first, group.second); });
  for (const auto& group : index.strategies)
    add("strategy/" + slug(group.first) + ".html",
        [&all, &group] { return strategy_page(all, group.first, group.second); });
  for (const auto& group : index.machines)
    add("machine/" + slug(group.first) + ".html",
        [&all, &group] { return machine_page(all, group.first, group.second); });
  parallel_for(pages.size(), 8, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) put(pages[i]());
  });
}

}  // namespace explog::report
