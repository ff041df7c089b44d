#include "bench/harness/kernel_object.h"

#include <fmt/format.h>
#include <re2/re2.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/embedded.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "bench/code/fatbin.h"

namespace explog::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view written_dependencies = "included.d", assembled = "assembled.d";
constexpr std::string_view source_folder = "beside/";
constexpr std::string_view intermediate = "code";  // the folder of what nvcc makes on the way

// Under a name of ours: compilers guess a language from the ending, and choke on odd bytes.
std::string plain_name(const SourceFile& source) {
  if (source.name.ends_with(".cu")) return "source/explog_source.cu";
  return is_c(source) ? "source/explog_source.c" : "source/explog_source.cpp";
}

// What an embedded source includes lies below the build folder as it does in the source tree.
void write_embedded(const BuildFolder& work, const SourceFile& source) {
  work.write(source.folder + "/.explog", "");  // the folder must be there for -I
  for (const IncludedFile& file : included_files(source)) work.write(file.path, file.text);
}

std::string digest_of(const std::string& text, const std::vector<std::string>& files) {
  std::string all = text;
  for (const std::string& file : files)
    all += '\0' + hex(blake2b_128(access(file.c_str(), R_OK) == 0 ? read_file(file) : ""));
  return hex(blake2b_128(all));
}

void add(std::vector<std::string>& words, std::initializer_list<std::string> more) {
  words.insert(words.end(), more);
}

}  // namespace

bool is_c(const SourceFile& source) { return source.name.ends_with(".c"); }

KernelObject::KernelObject(const BuildFolder& work, const SourceFile& source, const Toolchain& toolchain,
                           std::vector<std::string> compile)
    : work_(work),
      source_(source),
      toolchain_(toolchain),
      compile_(std::move(compile)),
      file_(work.at(plain_name(source))) {
  work.write(plain_name(source), source.text);
  if (source.embedded)
    write_embedded(work, source);
  else if (!source.folder.empty())
    work.link(source_folder.substr(0, source_folder.size() - 1), source.folder);
  for (const IncludedFile& file : linked_files(source)) {
    const std::string name =
        fmt::format("linked/{}{}", linked_.size(), fs::path(file.name).extension().string());
    work.write(name, file.text);
    linked_.push_back(work.at(name));
  }
}

std::vector<std::string> KernelObject::for_linker() const {
  std::vector<std::string> files = {path()};
  files.insert(files.end(), linked_.begin(), linked_.end());
  return files;
}

bool KernelObject::by_nvcc() const {
  return toolchain_.row().compiler == Compiler::nvcc && compile_.front() == toolchain_.compiler;
}

bool KernelObject::run(std::vector<std::string> words, std::string& log) {
  Finished done = work_.run(std::move(words));
  log += replace_all(work_.without_path(done.output), plain_name(source_), source_.name);
  return done.status == 0;
}

// One pass of the preprocessor to the file `to`, from the device's side of a .cu file or the host's.
bool KernelObject::preprocess_once(const std::string& side, const std::string& to, std::string& log) {
  std::string dependencies = work_.at(written_dependencies);
  std::vector<std::string> words = compile_;
  if (!side.empty()) words.push_back(side);
  if (is_c(source_)) add(words, {"-x", "c"});
  if (by_nvcc())
    add(words, {"-E", "-Xcompiler", "-MD,-MF," + dependencies, file_, "-o", to});
  else
    add(words, {"-E", "-MD", "-MF", dependencies, file_, "-o", to});
  if (!run(std::move(words), log)) return false;
  for (std::string& file : listed_dependencies(read_file(dependencies))) included_.push_back(std::move(file));
  text_ += work_.without_path(read_file(to));
  return true;
}

bool KernelObject::preprocess(std::string& log) {
  if (source_.embedded) return true;
  if (by_nvcc()) {
    std::string to = work_.at("source.text");
    if (!preprocess_once("", to, log) || !preprocess_once("-U__CUDA_ARCH__", to, log)) return false;
  } else {
    std::string to = work_.at(is_c(source_) ? "source.i" : "source.ii");
    if (!preprocess_once("", to, log)) return false;
    file_ = to;  // what was read is what is compiled: no precompiled header takes another's place
  }
  // The compiler would read a header's code from a file that no preprocessor lists.
  if (RE2::PartialMatch(text_, R"((?m)^\s*#\s*pragma\s+GCC\s+pch_preprocess)")) {
    log += source_.name +
           ": error: #pragma GCC pch_preprocess reads a file that could change unseen: include the header\n";
    return false;
  }
  preprocessed_ = digest_of(text_, included_);
  text_.clear();
  return true;
}

bool KernelObject::compile(std::string& log) {
  std::vector<std::string> words = compile_;
  bool was_preprocessed = !source_.embedded && !by_nvcc();
  if (by_nvcc()) {
    work_.write(std::string(intermediate) + "/.explog", "");
    add(words, {"-keep", "-keep-dir", work_.at(intermediate)});
    add(words, {"-Xcompiler", "-Wa\\,--MD\\," + work_.at(assembled)});
  } else {
    add(words, {"-Wa,--MD," + work_.at(assembled)});
  }
  if (!by_nvcc() && toolchain_.version.find("clang") != std::string::npos)
    words.emplace_back("-fno-integrated-as");
  if (is_c(source_)) add(words, {"-x", was_preprocessed ? "cpp-output" : "c"});
  add(words, {"-c", file_, "-o", path()});
  if (!run(std::move(words), log)) return false;
  std::string foreign = source_.embedded ? "" : foreign_file();
  if (foreign.empty()) return true;
  log += source_.name + ": error: the assembler reads " + printable(foreign) +
         " (.incbin or .include), which could change unseen: put it into the source as an array\n";
  return false;
}

// "x.compute_90a.sm_90a.cubin" was made from "x.compute_90a.ptx".
DeviceCodeFiles KernelObject::device_code() const {
  DeviceCodeFiles files;
  std::error_code ignored;
  if (!by_nvcc() || !fs::is_directory(work_.at(intermediate), ignored)) return files;
  std::vector<std::string> all = files_in(work_.at(intermediate));
  for (const std::string& file : all) {
    if (file.ends_with(".cubin")) files.cubin = file;
  }
  for (const std::string& file : all) {
    constexpr std::string_view ending = ".ptx";
    if (!file.ends_with(ending)) continue;
    bool first = files.ptx.empty();
    bool of_cubin = files.cubin.starts_with(file.substr(0, file.size() - ending.size()) + ".");
    if (first || of_cubin) files.ptx = file;
  }
  std::string linked;
  for (const std::string& file : linked_) linked += cubins_in_data(read_file(file));
  if (linked.empty()) return files;
  files.ptx.clear();  // it says nothing of what is linked
  const std::string own = files.cubin.empty() ? "" : read_file(files.cubin);
  files.cubin = work_.at("linked.cubin");
  write_file(files.cubin, own + linked);
  return files;
}

// A file that the assembler read and the preprocessor did not, or nothing. Its own input is gone by now.
std::string KernelObject::foreign_file() const {
  std::error_code ignored;
  for (const std::string& file : listed_dependencies(read_file(work_.at(assembled)))) {
    bool known = std::find(included_.begin(), included_.end(), file) != included_.end();
    bool own = file.starts_with(work_.at("")) && !file.starts_with(work_.at(source_folder));
    if (!known && !own && fs::exists(file, ignored)) return work_.without_path(file);
  }
  return "";
}

}  // namespace explog::bench
