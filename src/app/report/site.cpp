// The site on disk: what is there stays where it would be the same, what we wrote once and is no more goes.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <set>

#include "app/advice/reliability.h"
#include "app/report/data.h"
#include "app/report/report.h"
#include "app/session/progress.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

namespace explog::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* list_name = "/pages.txt";  // what is ours in the folder, a path a line
constexpr const char* list_head = "# pages written by explog report --site";

// A path that write_site makes; a list that was edited names nothing outside.
bool is_page(std::string_view path) {
  std::string_view name = path;
  for (std::string_view folder : {"kernel/", "campaign/", "strategy/", "machine/"}) {
    if (name.starts_with(folder)) name.remove_prefix(folder.size());
  }
  return name.ends_with(".html") && name.find('/') == std::string_view::npos;
}

std::set<std::string> pages_in(const std::string& folder) {
  std::set<std::string> pages;
  if (!fs::exists(folder + list_name)) return pages;
  std::string text = read_file(folder + list_name);
  for (std::string_view line : split(text, '\n')) {
    if (is_page(line)) pages.emplace(line);
  }
  return pages;
}

// Somebody else's folder is left alone.
void take_folder(const std::string& folder) {
  std::error_code none;
  bool strange = fs::exists(folder, none) && !fs::is_empty(folder, none) && !fs::exists(folder + list_name);
  bool index = fs::exists(folder + "/index.html", none);
  if (strange && index)
    throw Error(Exit::usage, printable(folder) + ": an index.html is there that explog did not write",
                "--site DIR names a folder for the site alone");
  for (const char* in : {"", "/kernel", "/campaign", "/strategy", "/machine"}) {
    fs::create_directories(folder + in, none);
    if (none) throw Error(Exit::usage, printable(folder) + ": " + none.message());
  }
}

// Whether the probabilities were true: of stores of a size at which foreseeing the newest records takes no time.
void add_reliability(report::Everything& all, const Session& session) {
  constexpr std::size_t most = 20'000;
  if (all.attempts.size() > most) return;
  recommend::Reliability r = measure_reliability(session, Recalibrate::leave).measured;
  if (r.n == 0) return;
  report::Table behind{"the bins", {{"foreseen", true}, {"helped", true}, {"records", true}}, {}};
  auto bins = bins_of(r);
  for (const report::ReliabilityBin& bin : bins)
    behind.rows.push_back(
        {{fmt::format("{:.0f}%", 100 * bin.foreseen), std::to_string(bin.success), std::to_string(bin.n)}});
  std::string note = fmt::format("{} records, calibration error {:.3f}", r.n, r.ece);
  std::string svg = report::reliability_plot("Were the probabilities true?", note, bins, Svg::Look::page);
  all.extra.push_back({"Were the probabilities true?",
                       {report::Figure{"The newest records, each foreseen from those before it.",
                                       std::move(svg), std::move(behind)}}});
}

class SiteFolder {
 public:
  SiteFolder(std::string folder, std::size_t pages, const Session& session)
      : folder_(std::move(folder)),
        before_(pages_in(folder_)),
        all_(static_cast<std::int64_t>(pages)),
        progress_(session, "writing " + folder_, "pages") {}

  // From several threads. The first failure is kept for finish().
  void put(report::SiteFile file) {
    try {
      bool same = is_same(file);
      if (!same) explog::write_file(folder_ + "/" + file.path, file.text);
      std::lock_guard lock(mutex_);
      same ? ++done_.unchanged : ++done_.written;
      if (!same) done_.bytes += file.text.size();
      now_.insert(std::move(file.path));
      progress_.of(static_cast<std::int64_t>(now_.size()), all_);
    } catch (const Error& e) {
      std::lock_guard lock(mutex_);
      if (failure_.empty()) failure_ = e.what();
    }
  }

  SiteWritten finish() {
    if (!failure_.empty()) throw Error(Exit::usage, failure_);
    for (const std::string& page : before_) {
      std::error_code none;
      if (!now_.contains(page) && fs::remove(folder_ + "/" + page, none)) ++done_.removed;
    }
    std::string list = std::string(list_head) + "\n";
    for (const std::string& page : now_) list += page + "\n";
    if (now_ != before_) explog::write_file(folder_ + list_name, list);
    return done_;
  }

 private:
  bool is_same(const report::SiteFile& file) const {
    std::string path = folder_ + "/" + file.path;
    std::error_code none;
    auto size = fs::file_size(path, none);
    return !none && size == file.text.size() && read_file(path) == file.text;
  }

  std::string folder_;
  std::set<std::string> before_, now_;
  std::int64_t all_;
  Progress progress_;
  std::mutex mutex_;
  SiteWritten done_;
  std::string failure_;
};

}  // namespace

SiteWritten write_site(const SiteOptions& options, const Session& session) {
  report::Everything all = everything(options.since, session);
  if (all.attempts.empty())
    throw Error(Exit::negative, "report: no records to show",
                "`explog add` or `explog bench --record` store some");
  report::Index index = index_of(all);
  add_roofs(all, index, true, session);
  add_reliability(all, session);
  take_folder(options.folder);
  SiteFolder folder(options.folder, report::pages_of(index), session);
  report::write_site(all, index, [&](report::SiteFile file) { folder.put(std::move(file)); });
  SiteWritten written = folder.finish();
  written.kernels = index.kernels.size(), written.machines = index.machines.size();
  written.campaigns = index.campaigns.size();
  written.start = fs::absolute(options.folder + "/index.html").lexically_normal().string();
  return written;
}

}  // namespace explog::app
