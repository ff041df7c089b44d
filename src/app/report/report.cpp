#include "app/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/report/data.h"
#include "base/date.h"
#include "base/error.h"
#include "base/text.h"
#include "model/json.h"
#include "store/read.h"

namespace explog::app {

using report::Attempt;
using report::Page;

namespace {

Page single(const std::string& title, std::int64_t newest) {
  Page page;
  page.title = title;
  page.made = newest > 0 ? date_text(newest) : "no record";
  return page;
}

Report campaign_in_folder(const std::string& path, const Session& session) {
  CampaignFolder folder(path, session);
  report::CampaignView view = view_for_report(folder);
  Page page = single("Campaign " + view.id, 0);
  page.made = folder.events().empty() ? folder.contract().created : folder.events().back().at;
  page.sections = campaign_sections(view);
  const campaign::State& state = folder.state();
  if (state.champion > 0) {
    const auto& judged = state.versions[static_cast<std::size_t>(state.champion)].judged;
    for (const std::string& id : judged ? judged->records : std::vector<std::string>{}) {
      Attempt a;
      a.id = id;
      auto roof = roof_of_record(a, "", session);
      if (!roof) continue;
      page.sections.push_back({"Under the roof", {std::move(roof->picture)}});
      break;
    }
  }
  return {"campaign", view.id, html(page)};
}

std::vector<const Attempt*> pointers_to(const std::vector<Attempt>& list) {
  std::vector<const Attempt*> pointers;
  for (const Attempt& a : list) pointers.push_back(&a);
  return pointers;
}

Report campaign_in_store(const std::string& id, std::vector<Attempt> attempts) {
  std::erase_if(attempts, [&](const Attempt& a) { return a.campaign != id; });
  for (std::size_t i = attempts.size() > 100 ? attempts.size() - 100 : 0; i < attempts.size(); ++i)
    attempts[i].shown = true;
  auto records = pointers_to(attempts);
  Page page = single("Campaign " + id, attempts.back().at_ms);
  page.sections = campaign_sections(campaign_of(id, records));
  if (records.size() > 100) records.erase(records.begin(), records.end() - 100);
  page.sections.push_back({"Records", {attempts_table("the newest records", records, false)}});
  return {"campaign", id, html(page)};
}

Report kernel_report(const std::string& name, report::Everything all, const Session& session) {
  std::erase_if(all.attempts, [&](const Attempt& a) {
    return kernel_of(a) != name && a.kernel != name && a.kernel_type != name;
  });
  report::Index index = index_of(all);
  add_roofs(all, index, false, session);
  std::vector<const report::Line*> lines;
  for (const report::Line& line : index.lines) lines.push_back(&line);
  std::stable_sort(lines.begin(), lines.end(), [](auto* a, auto* b) { return a->n > b->n; });
  if (lines.size() > 5) lines.resize(5);
  Page page = single(name, all.attempts.back().at_ms);
  page.lead = fmt::format("{} records.", all.attempts.size());
  page.sections = kernel_sections(all, lines, pointers_to(all.attempts), false);
  return {"kernel", name, html(page)};
}

// What one record says, and beside each other what several say.
Report records_report(const std::vector<Attempt>& attempts, const Session& session) {
  Page page = single(attempts.size() == 1 ? "Record " + report::short_id(attempts[0].id)
                                          : fmt::format("{} records compared", attempts.size()),
                     0);
  std::vector<report::Strip> rows;
  std::int64_t newest = 0;
  for (const Attempt& a : attempts) {
    newest = std::max(newest, a.at_ms);
    std::string label =
        (a.strategy.empty() ? a.kernel : a.strategy) + " " + report::short_id(a.id).substr(0, 8);
    if (a.speedup > 0)
      rows.push_back({label, a.speedup, a.lo, a.hi, report::faster_words(a.speedup, a.lo, a.hi)});
  }
  page.made = date_text(newest);
  report::Table table = attempts_table("the records", pointers_to(attempts), false);
  if (!rows.empty())
    page.sections.push_back({"How much faster",
                             {report::Figure{"The change of each record, with its interval.",
                                             report::strips("gain of each record", rows), table}}});
  report::Section roofs{"Under the roof", {}};
  for (const Attempt& a : attempts) {
    if (auto roof = roof_of_record(a, "#" + anchor_of(a), session))
      roofs.blocks.emplace_back(std::move(roof->picture));
    if (roofs.blocks.size() == 6) break;
  }
  if (!roofs.blocks.empty()) page.sections.push_back(std::move(roofs));
  page.sections.push_back({"The records", {std::move(table)}});
  for (const Attempt& a : attempts) {
    if (!a.hypothesis.empty())
      page.sections.back().blocks.emplace_back(
          report::Words{report::short_id(a.id) + " was tried because: " + a.hypothesis});
  }
  return {"records", page.title, html(page)};
}

Report tuning_report(const store::Record& record, const Tuned& tuned, const Session& session) {
  Page page = single("Tuning of " + tuned.key.task + ", " + dims_text(tuned.key.shape), record.at_ms);
  page.sections = tuning_sections(tuned, session);
  return {"tuning", page.title, html(page)};
}

bool looks_like_id(const std::string& word) {
  std::string digits = replace_all(word, "-", "");
  return digits.size() >= 6 && digits.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// Throws Error for an id that is nobody's.
Report report_of_ids(const std::vector<std::string>& ids, const Session& session) {
  std::vector<std::string> whole;
  {
    sql::Db db = session.reader();
    for (const std::string& id : ids) {
      store::Record record = store::load(db, store::resolve(db, id));
      std::optional<Tuned> tuned;
      if (record.is_experience()) tuned = tuned_of(parse_experience(record.body));
      if (tuned && ids.size() == 1) return tuning_report(record, *tuned, session);
      whole.push_back(record.id);
    }
  }
  std::vector<Attempt> attempts;
  for (const std::string& id : whole) {
    auto found = attempts_of("id:" + id, session);
    if (found.empty())
      throw Error(Exit::negative, id + " is no record that counts",
                  "`explog show " + id + "` says what it is");
    attempts.push_back(std::move(found.front()));
  }
  return records_report(attempts, session);
}

Report report_by_name(const std::string& name, const Session& session) {
  report::Everything all = everything("", session);
  auto any = [&](auto fits) { return std::any_of(all.attempts.begin(), all.attempts.end(), fits); };
  if (any([&](const Attempt& a) { return a.campaign == name; }))
    return campaign_in_store(name, std::move(all.attempts));
  if (any([&](const Attempt& a) {
        return kernel_of(a) == name || a.kernel == name || a.kernel_type == name;
      }))
    return kernel_report(name, std::move(all), session);
  std::vector<std::string> names;
  for (const Attempt& a : all.attempts) {
    for (const std::string& known : {kernel_of(a), a.campaign}) {
      if (std::find(names.begin(), names.end(), known) == names.end()) names.push_back(known);
    }
  }
  throw Error(Exit::negative,
              "report: no campaign, kernel or record '" + printable(name) + "'" + did_you_mean(name, names),
              "`explog query kernels` lists kernels, `explog list` records; a campaign's folder will do too");
}

}  // namespace

Report make_report(const std::vector<std::string>& what, const Session& session) {
  if (what.size() == 1 && std::filesystem::exists(what[0] + "/campaign.json"))
    return campaign_in_folder(what[0], session);
  bool ids = std::all_of(what.begin(), what.end(), looks_like_id);
  if (ids || what.size() > 1) return report_of_ids(what, session);
  return report_by_name(what[0], session);
}

}  // namespace explog::app
