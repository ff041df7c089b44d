// strategies: the playbook.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "base/embedded.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/print.h"
#include "model/json.h"
#include "model/kernel_type.h"
#include "model/playbook.h"

namespace explog::cli {
namespace {

struct Options {
  std::string action = "list";
  std::vector<std::string> names;
  std::string backend, family, category;
  bool families = false;
  FormatFlags format;
};

bool among(const std::vector<std::string>& list, const std::string& word) {
  return word.empty() || list.empty() || std::find(list.begin(), list.end(), word) != list.end();
}

int list(const Options& o, Context& context) {
  RowPrinter printer(context, o.format.format(context));
  if (o.families) {
    printer.header({"family"});
    for (const std::string& family : known_families()) printer.row({family});
    return printer.finish(), 0;
  }
  printer.header({"id", "category", "backends", "families", "bottlenecks", "prior", "gain", "title"});
  Playbook playbook = context.playbook();
  for (const Strategy& s : playbook.all()) {
    if (!among(s.backends, o.backend) || !among(s.families, o.family) ||
        (!o.category.empty() && s.category != o.category))
      continue;
    printer.row({s.id, s.category, join(s.backends, ","), s.families.empty() ? "any" : join(s.families, ","),
                 s.bottlenecks.empty() ? "any" : join(s.bottlenecks, ","), s.prior.success,
                 fmt::format("{}-{}x", number_text(s.prior.speedup_lo), number_text(s.prior.speedup_hi)),
                 s.title});
  }
  printer.finish();
  return static_cast<int>(printer.rows() > 0 ? Exit::ok : Exit::negative);
}

std::string strategy_json(const Strategy& s) {
  JsonWriter json;
  json.begin_object();
  for (auto [key, text] : {std::pair("id", &s.id),
                           {"title", &s.title},
                           {"category", &s.category},
                           {"min_arch", &s.min_arch},
                           {"max_arch", &s.max_arch}}) {
    if (!text->empty()) json.key(key), json.text(*text);
  }
  for (auto [key, texts] : {std::pair("aliases", &s.aliases),
                            {"backends", &s.backends},
                            {"families", &s.families},
                            {"bottlenecks", &s.bottlenecks},
                            {"requires", &s.requirements},
                            {"conflicts", &s.conflicts},
                            {"source_patterns", &s.source_patterns}}) {
    json.key(key), json.texts(*texts);
  }
  json.key("signals");
  json.begin_array();
  for (const Signal& signal : s.signals) {
    json.begin_object();
    json.key("metric"), json.text(signal.metric);
    json.key("op"), json.text(signal.op);
    json.key("value"), json.number(signal.value);
    json.end_object();
  }
  json.end_array();
  json.key("params");
  json.begin_object();
  for (const auto& [knob, values] : s.params) json.key(knob), json.raw(values);
  json.end_object();
  json.key("prior");
  json.begin_object();
  json.key("success"), json.number(s.prior.success);
  json.key("speedup_lo"), json.number(s.prior.speedup_lo);
  json.key("speedup_hi"), json.number(s.prior.speedup_hi);
  json.key("source"), json.text(s.prior.source);
  json.end_object();
  json.key("prose"), json.text(Playbook::prose(s));
  json.end_object();
  return json.take();
}

void show_text(Context& context, const Strategy& s) {
  std::ostream& out = context.out;
  auto line = [&](const char* name, const std::string& text) {
    if (!text.empty()) out << fmt::format("  {:<12} {}\n", name, text);
  };
  out << context.bold(s.id) << "  " << s.title << '\n';
  line("category", s.category);
  line("backends", join(s.backends, ", "));
  line("families", s.families.empty() ? "any" : join(s.families, ", "));
  line("bottlenecks", s.bottlenecks.empty() ? "any" : join(s.bottlenecks, ", "));
  line("arch", s.min_arch.empty() && s.max_arch.empty() ? ""
                                                        : (s.min_arch.empty() ? "any" : s.min_arch) + " to " +
                                                              (s.max_arch.empty() ? "newest" : s.max_arch));
  line("requires", join(s.requirements, ", "));
  line("conflicts", join(s.conflicts, ", "));
  line("also called", join(s.aliases, ", "));
  for (const Signal& signal : s.signals)
    line("signal", fmt::format("{} {} {}", signal.metric, signal.op, number_text(signal.value)));
  line("prior",
       fmt::format("helps with P = {}, then {}x to {}x ({})", number_text(s.prior.success),
                   number_text(s.prior.speedup_lo), number_text(s.prior.speedup_hi), s.prior.source));
  out << '\n' << trim(Playbook::prose(s)) << '\n';
}

int show(const Options& o, Context& context) {
  if (o.names.empty()) throw Error(Exit::usage, "strategies show: name a strategy");
  Playbook playbook = context.playbook();
  std::vector<const Strategy*> found;
  for (const std::string& name : o.names) {
    found.push_back(playbook.find(name));
    if (found.back() == nullptr)
      throw Error(Exit::usage, "no strategy '" + printable(name) + "'" + did_you_mean(name, playbook.names()),
                  "`explog strategies` lists them");
  }
  for (size_t i = 0; i < found.size(); ++i) {
    if (context.json) {
      context.out << (i == 0 ? "[" : ",\n ") << strategy_json(*found[i]);
    } else {
      if (i > 0) context.out << '\n';
      show_text(context, *found[i]);
    }
  }
  if (context.json) context.out << "]\n";
  return 0;
}

// Every file by itself first, so that one bad file does not hide the next; then what holds between them.
int check(Context& context) {
  std::vector<std::string> faults;
  size_t files = 0;
  auto check_one = [&](const std::string& name, const std::string& where, std::string_view text) {
    if (name == "README.md" || name.size() < 4 || name.substr(name.size() - 3) != ".md") return;
    ++files;
    try {
      parse_strategy(name, text);
    } catch (const JsonError& e) {
      faults.push_back(where + ": " + e.what());
    }
  };
  for (const EmbeddedFile& file : embedded_files()) {
    std::filesystem::path path(file.path);
    if (path.parent_path() == "strategies") check_one(path.filename().string(), path.string(), file.text);
  }
  for (const std::string& path : files_in(context.data_dir.empty() ? "" : context.data_dir + "/strategies")) {
    check_one(std::filesystem::path(path).filename().string(), path, read_file(path));
  }
  if (faults.empty()) faults = check_playbook(context.playbook());
  if (context.json) {
    JsonWriter json;
    json.begin_object();
    json.key("files"), json.number(static_cast<double>(files));
    json.key("faults"), json.texts(faults);
    json.end_object();
    context.out << json.str() << '\n';
  } else {
    for (const std::string& fault : faults) context.out << printable(fault) << '\n';
    context.out << fmt::format("{} strategies checked, {} faults\n", files, faults.size());
  }
  return static_cast<int>(faults.empty() ? Exit::ok : Exit::negative);
}

int run_strategies(const Options& o, Context& context) {
  if (o.action == "list") return list(o, context);
  if (o.action == "show") return show(o, context);
  return check(context);
}

}  // namespace

Action setup_strategies(CLI::App& app) {
  auto o = std::make_shared<Options>();
  app.add_option("action", o->action, "list, show or check")
      ->type_name("ACTION")
      ->check(CLI::IsMember({"list", "show", "check"}));
  app.add_option("names", o->names, "with show: the strategies")->type_name("ID");
  app.add_option("--backend", o->backend, "list: only those for this backend")->type_name("B");
  app.add_option("--family", o->family, "list: only those for this kernel family")->type_name("F");
  app.add_option("--category", o->category, "list: only memory, compute, latency, occupancy, tuning, ...")
      ->type_name("C");
  app.add_flag("--families", o->families, "list the kernel families");
  o->format.add_to(app);
  return [o](Context& context) { return run_strategies(*o, context); };
}

}  // namespace explog::cli
