#include "app/advice/backtest.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "app/advice/reliability.h"
#include "app/session/progress.h"
#include "base/date.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "intake/explog_jsonl.h"
#include "model/claim.h"
#include "model/kernel_type.h"

namespace explog::app {
namespace {

std::vector<recommend::Dated> records_of_file(const std::string& path, const Session& session) {
  std::vector<recommend::Dated> list;
  std::size_t refused = 0;
  std::string first;
  Source source = intake::explog_jsonl(path, session.piped);
  Progress progress(session, "reading " + path, "records");
  while (auto parsed = source()) {
    progress.at(static_cast<std::int64_t>(list.size() + refused));
    std::string problem = parsed->fault;
    if (parsed->experience) {
      if (auto remarks = prepare(*parsed->experience, "replicated"); remarks.refused)
        problem = *remarks.refused;
    }
    if (parsed->experience && problem.empty()) {
      std::int64_t at_ms = date_ms(parsed->experience->at).value_or(0);
      list.push_back({std::move(*parsed->experience), at_ms});
    } else if (refused++ == 0) {
      first = parsed->where + ": " + problem;
    }
  }
  if (refused > 0)
    session.warn(fmt::format("{}: {} {} left out, the first: {}", path, refused,
                             refused == 1 ? "record" : "records", first));
  return list;
}

}  // namespace

void thin(std::vector<recommend::Dated>& records, std::size_t n) {
  std::map<std::string, std::vector<std::pair<Bytes16, std::size_t>>> cells;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Experience& e = records[i].record;
    cells[e.kernel_type + "/" + e.kernel + "/" + e.gpu + "/" + e.arch].emplace_back(blake2b_128(to_json(e)),
                                                                                    i);
  }
  std::vector<recommend::Dated> kept;
  for (auto& [name, list] : cells) {
    std::sort(list.begin(), list.end());
    for (std::size_t i = 0; i < std::min(n, list.size()); ++i)
      kept.push_back(std::move(records[list[i].second]));
  }
  std::stable_sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.at_ms < b.at_ms; });
  records = std::move(kept);
}

recommend::PlaybookOrder parse_order(std::string_view text, const std::string& name) {
  recommend::PlaybookOrder order;
  std::size_t number = 0;
  for (std::string_view line : split(text, '\n')) {
    ++number;
    line = trim(line);
    if (line.empty() || number == 1) continue;
    std::size_t comma = line.rfind(',');
    auto factor = comma == std::string_view::npos ? std::nullopt : parse_number(trim(line.substr(comma + 1)));
    if (!factor || *factor <= 0)
      throw Error(Exit::usage, fmt::format("{}:{}: not strategy,prior_factor", printable(name), number),
                  "a line is a strategy's name and the factor of the base rate, as block_x:up,1.3");
    order.emplace(std::string(trim(line.substr(0, comma))), recommend::OrderEntry{order.size(), *factor});
  }
  return order;
}

namespace {

// Without the group that holds nearly all records there is next to nothing to learn from.
void warn_of_one_group(const std::vector<recommend::Dated>& records, recommend::Split split,
                       const Session& session) {
  if (split == recommend::Split::shape || split == recommend::Split::time) return;
  std::map<std::string, std::size_t> groups;
  for (const recommend::Dated& dated : records) ++groups[recommend::group_of(dated.record, split, 0, 1)];
  for (const auto& [name, n] : groups) {
    if (name.empty() || n * 10 < records.size() * 9) continue;
    session.warn(fmt::format(
        "this split cannot judge: {} of {} records are of {}, and an answer without it has next to "
        "nothing to learn from; try another --split",
        n, records.size(), printable(name)));
  }
}

}  // namespace

BacktestRecords read_backtest_records(const BacktestRequest& request, const Session& session) {
  BacktestRecords records;
  if (request.train.empty()) {
    sql::Db db = session.reader();
    records.train = history(db);
  } else {
    records.train = records_of_file(request.train, session);
  }
  records.test = request.test.empty() ? records.train : records_of_file(request.test, session);
  if (request.at_most) thin(records.train, *request.at_most);
  warn_of_one_group(records.train, request.split, session);
  return records;
}

recommend::Backtest backtest(const BacktestRequest& request, const Session& session) {
  recommend::BacktestInput input;
  Playbook playbook = session.playbook();
  input.playbook = &playbook;
  input.split = request.split;
  if (!request.order.empty()) input.order = parse_order(read_file(request.order), request.order);
  BacktestRecords records = read_backtest_records(request, session);
  input.train = std::move(records.train);
  input.test = std::move(records.test);
  Progress progress(session, "asking", "questions");
  input.asked = [&](std::size_t n, std::size_t of_all) {
    progress.of(static_cast<std::int64_t>(n), static_cast<std::int64_t>(of_all));
  };
  return recommend::backtest(input);
}

}  // namespace explog::app
