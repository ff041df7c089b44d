// What the pages of a site are about: groups of records, what became worse or better, the rows that are shown.
#include <algorithm>
#include <tuple>

#include "report/site.h"

namespace explog::report {
namespace {

constexpr std::size_t most_shown = 100;  // records of a page

// The same thing measured again: kernel file, configuration, strategy, machine, element type and shape.
using Thing = std::tuple<std::string, std::string, std::string, std::string, std::string, std::string>;
Thing thing_of(const Attempt& a) {
  return {a.kernel + "\n" + a.kernel_type,
          a.params + "\n" + a.strategy,
          a.backend,
          machine_of(a),
          a.dtype,
          a.shape};
}

struct Interval {
  double lo, hi;
};
// Of the time after the change: the judge's interval is of the ratio.
Interval interval_of(const Attempt& a) {
  if (a.lo <= 0 || a.hi <= 0 || a.speedup <= 0) return {a.after_ms, a.after_ms};
  return {a.after_ms * a.speedup / a.hi, a.after_ms * a.speedup / a.lo};
}

bool are_apart(const Attempt& a, const Attempt& b) {
  Interval x = interval_of(a), y = interval_of(b);
  return x.hi < y.lo || y.hi < x.lo;
}

// Against the measurement before it, from another day or at least another campaign.
void add_changes(const std::vector<const Attempt*>& measured, Index& index) {
  constexpr double tolerable = 1.02;
  const Attempt& now = *measured.back();
  for (auto it = measured.rbegin() + 1; it != measured.rend(); ++it) {
    const Attempt& then = **it;
    if (then.campaign == now.campaign && !now.campaign.empty()) continue;
    double factor = now.after_ms / then.after_ms;
    if (factor > 1 / tolerable && factor < tolerable) return;
    if (are_apart(then, now)) (factor > 1 ? index.worse : index.better).push_back({&then, &now, factor});
    return;
  }
}

void find_changes(const Everything& all, Index& index) {
  std::map<Thing, std::vector<const Attempt*>> things;
  for (const Attempt& a : all.attempts) {
    if (is_right(a) && a.level != "claimed") things[thing_of(a)].push_back(&a);
  }
  for (const auto& [thing, measured] : things) {
    if (measured.size() > 1) add_changes(measured, index);
  }
  auto further = [](const Change& a, const Change& b) {
    double x = std::max(a.factor, 1 / a.factor), y = std::max(b.factor, 1 / b.factor);
    return std::tie(y, a.after->id) < std::tie(x, b.after->id);
  };
  std::sort(index.worse.begin(), index.worse.end(), further);
  std::sort(index.better.begin(), index.better.end(), further);
}

Line line_of(const std::string& kernel, const std::string& backend, const std::string& machine,
             const std::vector<const Attempt*>& records) {
  std::map<std::string, std::vector<const Attempt*>> by_shape;
  for (const Attempt* a : records) {
    if (is_kept(*a)) by_shape[a->shape + a->dtype].push_back(a);
  }
  Line line{kernel, backend, machine, {}, nullptr, nullptr, records.size()};
  for (const Attempt* a : records) {
    if (a->profiled && is_kept(*a)) line.profiled = a;
  }
  for (auto& [shape, kept] : by_shape) {
    if (kept.size() > line.kept.size()) line.kept = std::move(kept);
  }
  for (const Attempt* a : line.kept) {
    if (line.best == nullptr || a->after_ms < line.best->after_ms) line.best = a;
  }
  return line;
}

void find_lines(Index& index) {
  for (const auto& [kernel, records] : index.kernels) {
    std::map<std::pair<std::string, std::string>, std::vector<const Attempt*>> groups;
    for (const Attempt* a : records) groups[{a->backend, machine_of(*a)}].push_back(a);
    for (const auto& [group, list] : groups)
      index.lines.push_back(line_of(kernel, group.first, group.second, list));
  }
}

// First what some page names, then the newest.
void choose_shown(std::vector<Attempt*>& records) {
  std::size_t room = most_shown;
  for (Attempt* a : records) {
    if (a->notable) a->shown = true, room -= room > 0 ? 1 : 0;
  }
  for (auto it = records.rbegin(); it != records.rend() && room > 0; ++it) {
    if (!(*it)->shown) (*it)->shown = true, --room;
  }
}

}  // namespace

std::string home_of(const Attempt& a) {
  std::string page = a.campaign.empty() ? "kernel/" + slug(kernel_of(a)) : "campaign/" + slug(a.campaign);
  return page + ".html" + (a.shown ? "#" + anchor_of(a) : "");
}

Index index_of(Everything& all) {
  Index index;
  for (const Attempt& a : all.attempts) {
    index.kernels[kernel_of(a)].push_back(&a);
    index.machines[machine_of(a)].push_back(&a);
    if (!a.campaign.empty()) index.campaigns[a.campaign].push_back(&a);
    if (!a.strategy.empty()) index.strategies[a.strategy].push_back(&a);
  }
  find_lines(index);
  find_changes(all, index);
  std::map<const Attempt*, bool> named;
  for (const Line& line : index.lines) named[line.best] = named[line.profiled] = true;
  for (const auto* list : {&index.worse, &index.better}) {
    for (std::size_t i = 0; i < list->size() && i < 40; ++i)
      named[(*list)[i].before] = true, named[(*list)[i].after] = true;
  }
  std::map<std::string, std::vector<Attempt*>> homes;
  for (Attempt& a : all.attempts) {
    a.notable = named.contains(&a);
    homes[a.campaign.empty() ? "kernel\n" + kernel_of(a) : a.campaign].push_back(&a);
  }
  for (auto& [home, records] : homes) choose_shown(records);
  return index;
}

}  // namespace explog::report
