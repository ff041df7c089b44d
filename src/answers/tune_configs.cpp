#include <fmt/format.h>

#include "answers/tune.h"
#include "model/json.h"

namespace explog::answers {
namespace {

std::string counted_things(std::size_t n, const std::string& thing) {
  return std::to_string(n) + " " + thing + (n == 1 ? "" : "s");
}

}  // namespace

void print_imported_configs(const Terminal& terminal, const app::ImportedConfigs& imported, bool json) {
  if (json) {
    JsonWriter out;
    out.begin_object();
    out.field("format", 1);
    out.field("added", imported.added);
    out.field("skipped", imported.skipped);
    out.field("rejected", imported.rejected);
    out.field("configurations", imported.configurations);
    out.field("foreign", imported.foreign);
    out.end_object();
    terminal.out << out.take() << '\n';
    return;
  }
  terminal.out << fmt::format("{}: {} added, {} there already, {} refused\n",
                              counted_things(imported.configurations, "configuration"),
                              counted_things(imported.added, "set"), imported.skipped,
                              counted_things(imported.rejected, "file"));
  if (imported.foreign > 0)
    terminal.out << counted_things(imported.foreign, "file") << " of a name that no runtime looks for\n";
}

void print_exported_configs(const Terminal& terminal, const app::ExportedConfigs& exported,
                            const std::string& runtime, const std::string& folder, bool json) {
  std::string variable = runtime == "vllm" ? "VLLM_TUNED_CONFIG_FOLDER" : "SGLANG_MOE_CONFIG_DIR";
  if (json) {
    JsonWriter out;
    out.begin_object();
    out.field("format", 1);
    out.field("files", exported.files.size());
    out.field("configurations", exported.configurations);
    out.field("variable", variable);
    out.end_object();
    terminal.out << out.take() << '\n';
    return;
  }
  terminal.print(Lines{fmt::format(
      "{} with {}; {} finds those of fused_moe with {}={}", counted_things(exported.files.size(), "file"),
      counted_things(exported.configurations, "configuration"), runtime, variable, folder)});
}

}  // namespace explog::answers
