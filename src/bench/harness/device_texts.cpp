#include "bench/harness/device_texts.h"

#include <unistd.h>

#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/process.h"
#include "bench/code/cubin.h"
#include "bench/harness/build_folder.h"
#include "bench/harness/cache.h"
#include "bench/harness/compilers.h"
#include "bench/harness/kernel_object.h"
#include "bench/harness/python.h"
#include "bench/harness/python_texts.h"

namespace explog::bench {
namespace {

namespace fs = std::filesystem;

constexpr int disassembly_patience_ms = 60'000;

bool can_run(const std::string& path) { return access(path.c_str(), X_OK) == 0; }

std::string beside_nvcc() try {
  std::error_code ignored;
  std::string tool = (fs::canonical(find_nvcc(), ignored).parent_path() / "nvdisasm").string();
  return can_run(tool) ? tool : "";
} catch (const Error&) {  // no toolkit
  return "";
}

// Triton brings one, and it is a package of its own.
std::string in_python_packages() try {
  std::error_code ignored;
  for (const auto& entry :
       fs::directory_iterator(fs::path(find_python()).parent_path().parent_path() / "lib", ignored)) {
    for (const char* place : {"nvidia/cu13/bin", "nvidia/cuda_nvdisasm/bin", "triton/backends/nvidia/bin"}) {
      std::string tool = (entry.path() / "site-packages" / place / "nvdisasm").string();
      if (can_run(tool)) return tool;
    }
  }
  return "";
} catch (const Error&) {  // no Python
  return "";
}

std::string disassembled_image(const std::string& tool, std::string_view cubin) {
  BuildFolder folder(cache_folder());
  folder.write("code.cubin", std::string(cubin));
  std::string to = folder.at("code.sass");
  // Through a shell for its redirection: run_program() holds at most 1 MiB. No word of it comes from a user.
  Finished run = run_program(
      {"/bin/sh", "-c", "exec \"$0\" -c \"$1\" > \"$2\" 2> /dev/null", tool, folder.at("code.cubin"), to},
      disassembly_patience_ms);
  return run.status == 0 ? text_if_there(to) : "";
}

}  // namespace

std::string find_nvdisasm() {
  if (std::string named = env("EXPLOG_NVDISASM"); !named.empty()) return can_run(named) ? named : "";
  std::string tool = beside_nvcc();
  if (tool.empty()) tool = find_program("nvdisasm").value_or("");
  return tool.empty() ? in_python_packages() : tool;
}

std::string disassembled(const std::string& cubin) {
  std::string tool = cubin.empty() ? "" : find_nvdisasm(), all;
  if (tool.empty()) return "";
  for (std::string_view image : cubins_in(cubin)) {
    std::string one = disassembled_image(tool, image);
    if (one.empty()) return "";
    all += one;
  }
  return all;
}

// The disassembly stays beside the product: the baseline of many attempts is disassembled once.
CodeTexts code_of_product(const std::string& product) {
  std::string sass = product + ".sass";
  CodeTexts texts;
  if (is_module(product)) {
    texts = code_of_module(product);
    texts.sass = disassembled(texts.cubin);
    return texts;
  }
  texts.ptx = text_if_there(product + ".ptx");
  texts.cubin = text_if_there(product + ".cubin");
  texts.sass = text_if_there(sass);
  if (!texts.sass.empty() || texts.cubin.empty()) return texts;
  texts.sass = disassembled(texts.cubin);
  std::string unfinished = sass + "." + hex(random_bytes16());
  std::error_code ignored;
  if (texts.sass.empty()) return texts;
  write_file(unfinished, texts.sass);
  fs::rename(unfinished, sass, ignored);
  return texts;
}

CodeTexts code_of_source(const Toolchain& toolchain, const SourceFile& source) {
  BuildFolder folder(cache_folder());
  KernelObject object(folder, source, toolchain, candidate_command(toolchain, source));
  std::string log;
  if (!object.compile(log)) throw Error(Exit::usage, source.name + " does not compile: " + first_error(log));
  DeviceCodeFiles files = object.device_code();
  CodeTexts texts;
  texts.ptx = text_if_there(files.ptx);
  texts.cubin = text_if_there(files.cubin);
  return texts;
}

}  // namespace explog::bench
