#include "bench/harness/recipe_words.h"

#include "base/embedded.h"
#include "base/error.h"
#include "base/text.h"
#include "bench/harness/build_folder.h"
#include "bench/harness/compilers.h"
#include "model/source_flags.h"

namespace explog::bench {

std::string_view embedded_text(std::string_view path) {
  if (auto text = embedded_file(path)) return *text;
  throw Error(Exit::usage, "explog was built without " + std::string(path));
}

std::vector<std::string> files_below(std::string_view folder) {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.path.starts_with(harness_folder + std::string(folder))) names.emplace_back(file.path);
  }
  return names;
}

std::string in_here(const std::string& flag, const std::string& name) { return flag + here + "/" + name; }

std::string code_for(const std::string& arch) {
  if (!arch.starts_with("sm_")) return "-arch=" + arch;
  const std::string number = arch.substr(3);
  return "-gencode=arch=compute_" + number + ",code=[sm_" + number + ",compute_" + number + "]";
}

void add_flags(std::vector<std::string>& command, const std::vector<std::string>& flags,
               const Toolchain& toolchain) {
  for (std::string flag : flags) {
    flag = replace_all(flag, "{arch}", code_for(toolchain.arch));
    command.push_back(replace_all(flag, "{cupti}", cupti_headers(toolchain.compiler)));
  }
}

void add_flags_asked_for(std::vector<std::string>& command, const SourceFile& source,
                         const Toolchain& toolchain) {
  if (!toolchain.row().on_gpu) return;
  for (std::string& flag : flags_in_source(source.text)) {
    if (!may_ask_for(flag))
      throw Error(Exit::usage, source.name + ": '// nvcc: " + flag + "' is no flag that a source may ask for",
                  std::string("it may ask for ") + flags_to_ask_for);
    command.push_back(std::move(flag));
  }
}

}  // namespace explog::bench
