// show: ids -> everything known about the records.
#include <fmt/format.h>

#include <ctime>
#include <memory>

#include "base/error.h"
#include "base/text.h"
#include "cli/commands.h"
#include "model/event.h"
#include "model/json.h"
#include "store/read.h"

namespace explog::cli {
namespace {

std::string time_text(std::int64_t at_ms) {
  std::time_t seconds = at_ms / 1000;
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02} UTC", utc.tm_year + 1900, utc.tm_mon + 1,
                     utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec);
}

// Whether `body` is a JSON object within our limits; a stranger's event may hold anything.
bool is_object(const std::string& body) try {
  return parse_json(body).is_object();
} catch (const JsonError&) {
  return false;
}

void print_json(Context& context, const store::Record& record) {
  context.out << "{\"id\":\"" << record.id << "\",\"at_ms\":" << record.at_ms << ",\"kind\":\""
              << kind_name(static_cast<Kind>(record.kind)) << "\"";
  if (record.retracted) context.out << ",\"retracted\":" << json_quote(*record.retracted);
  if (is_object(record.body)) {
    context.out << (record.body == "{}" ? "" : ",") << printable_json(record.body).substr(1);
  } else {
    context.out << ",\"body\":" << json_quote(record.body) << '}';
  }
}

// Prose keeps its lines, indented under the field's name.
std::string indented(const Json& value) {
  std::string text = value.is_string() ? printable(value.get<std::string>(), false) : printable(value.dump());
  return replace_all(text, "\n", "\n" + std::string(21, ' '));
}

void print_text(Context& context, const store::Record& record) {
  context.out << context.bold(record.id) << "\n";
  auto line = [&](const std::string& name, const std::string& value) {
    context.out << fmt::format("  {:<18} {}\n", name, value);
  };
  line("at", time_text(record.at_ms));
  if (record.kind != static_cast<int>(Kind::experience))
    line("kind", std::string(kind_name(static_cast<Kind>(record.kind))));
  if (record.retracted) line("retracted", printable(*record.retracted));
  if (record.body.empty()) return line("body", "erased");
  if (!is_object(record.body)) return line("body", printable(record.body));
  Json body = parse_json(record.body);
  for (const auto& [name, value] : body.items()) {
    if (!value.is_object()) {
      line(printable(name), indented(value));
      continue;
    }
    std::string entries;
    for (const auto& [key, entry] : value.items()) {
      std::string text = entry.is_string() ? entry.get<std::string>() : entry.dump();
      bool long_names = key.size() > 24;
      entries += (entries.empty() ? ""
                  : long_names    ? "\n" + std::string(21, ' ')
                                  : "  ") +
                 printable(key + "=" + text);
    }
    line(printable(name), entries);
  }
}

int run_show(const std::vector<std::string>& ids, Context& context) {
  sql::Db db = context.reader();
  std::vector<store::Record> records;
  for (const std::string& id : ids) records.push_back(store::load(db, store::resolve(db, id)));
  if (context.json) {
    for (size_t i = 0; i < records.size(); ++i) {
      context.out << (i == 0 ? "[" : ",\n ");
      print_json(context, records[i]);
    }
    context.out << "]\n";
    return 0;
  }
  for (size_t i = 0; i < records.size(); ++i) {
    if (i > 0) context.out << '\n';
    print_text(context, records[i]);
  }
  return 0;
}

}  // namespace

Action setup_show(CLI::App& app) {
  auto ids = std::make_shared<std::vector<std::string>>();
  app.add_option("id", *ids, "record ids; their first 6 digits will do")->required()->type_name("ID");
  return [ids](Context& context) { return run_show(*ids, context); };
}

}  // namespace explog::cli
