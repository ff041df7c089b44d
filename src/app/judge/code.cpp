#include "app/judge/code.h"

#include <unistd.h>

#include <fmt/format.h>

#include <optional>

#include "app/judge/compile_python.h"
#include "app/session/names.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "bench/code/ir.h"
#include "bench/find_source.h"
#include "bench/harness/device_texts.h"
#include "bench/harness/python.h"
#include "store/code_folder.h"

namespace explog::app {
namespace {

using namespace bench;

constexpr std::string_view no_disassembler =
    "no SASS: nvdisasm was not found beside nvcc, on the PATH or in Python's packages";

// SASS is what runs; without it the PTX stands for it, and the reader should know.
NamedCode named(std::string name, CodeTexts texts) {
  NamedCode result{std::move(name), {std::move(texts), {}}, ""};
  CodeTexts& t = result.side.texts;
  if (t.sass.empty()) t.sass = disassembled(t.cubin);
  result.side.code = read_code(t);
  if (t.sass.empty() && !t.cubin.empty())
    result.lack = find_nvdisasm().empty() ? no_disassembler : "no SASS: nvdisasm does not read this cubin";
  return result;
}

NamedCode code_of_kernel(const CodeWanted& wanted, const Session& session) {
  SourceFile source = find_source(wanted.what);
  std::string arch = arch_wanted(wanted.arch);
  Toolchain toolchain = find_toolchain("cuda", arch, wanted.compiler_flags);
  session.progress("compiling " + source.name + " for " + arch);
  CodeTexts texts = code_of_source(toolchain, source);
  session.progress("");
  NamedCode code = named(source.name + " for " + arch, std::move(texts));
  if (code.side.code.kernels.empty())
    throw Error(Exit::negative, source.name + ": nvcc made no kernel of it",
                "it needs a __global__ function");
  return code;
}

// The task says the shapes that the file's kernels are compiled for.
NamedCode code_of_python(const CodeWanted& wanted, const Session& session) {
  if (wanted.task.empty())
    throw Error(Exit::usage, wanted.what + ": a Python file is compiled for the shapes of a task",
                "name it: --task softmax");
  BenchNames names;
  names.task = wanted.task, names.candidate = wanted.what;
  names.arch = wanted.arch, names.python = wanted.python;
  PythonFileCompiled compiled = compile_python_texts(names, session);
  if (!compiled.made.error.empty()) throw Error(Exit::usage, compiled.made.error);
  return named(compiled.name + " for " + compiled.arch, std::move(compiled.made.texts));
}

NamedCode code_of_file(const CodeWanted& wanted, const Session& session) {
  if (wanted.what.ends_with(".cu")) return code_of_kernel(wanted, session);
  if (is_python(wanted.what)) return code_of_python(wanted, session);
  std::string text = session.read(wanted.what), name = wanted.what.substr(wanted.what.rfind('/') + 1);
  CodeTexts texts;
  texts.cubin = text;
  if (!read_code(texts).hash.empty()) return named(name, std::move(texts));
  texts.cubin.clear();
  bool binary = text.find('\0') != std::string::npos;
  if (!binary && is_ptx(text))
    texts.ptx = std::move(text);
  else if (!binary && is_ttgir(text))
    texts.ttgir = std::move(text);
  else if (!binary && is_tile_ir(text))
    texts.tileir = std::move(text);
  else if (!binary && is_sass(text))
    texts.sass = std::move(text);
  else
    throw Error(Exit::usage, name + ": neither a .cu or .py source nor a cubin, PTX, SASS, TTGIR or Tile IR",
                "of a program or library, `cuobjdump -xelf all FILE` writes the cubins");
  return named(name, std::move(texts));
}

// Ids have neither dots nor slashes: who writes one means a file, perhaps one that is not there.
bool is_file(const std::string& what) {
  return what == "-" || what.find_first_of("./") != std::string::npos || access(what.c_str(), F_OK) == 0;
}

std::string why_not_kept(const Experience& e, const std::string& hash) {
  if (!hash.empty()) return "its device code is not kept on this machine";
  if (e.level != "measured") return "it was not judged here, so that there is no device code of it";
  return "its device code was not kept: it is no CUDA kernel, or of an older version";
}

std::optional<NamedCode> code_of_hash(const std::string& hash, const Session& session) {
  SideCode side = store::is_code_hash(hash) ? kept_code(hash, session) : SideCode();
  if (side.code.kernels.empty()) return std::nullopt;
  return named("machine code " + hash, std::move(side.texts));
}

NamedCode code_of_record(const CodeWanted& wanted, const Session& session) {
  sql::Db db = session.reader();
  Experience e = experience_named(wanted.what, db);
  const std::string& hash = wanted.before ? e.code_before : e.code_after;
  SideCode side = kept_code(hash, session);
  const char* which = wanted.before ? "the baseline" : "the candidate";
  if (side.code.kernels.empty())
    throw Error(Exit::negative, fmt::format("record {}: {}", wanted.what, why_not_kept(e, hash)),
                "explog code FILE.cu compiles a source");
  return named(fmt::format("{} of record {}", which, wanted.what), std::move(side.texts));
}

}  // namespace

NamedCode code_named(const CodeWanted& wanted, const Session& session) {
  if (is_file(wanted.what)) return code_of_file(wanted, session);
  auto kept = code_of_hash(wanted.what, session);
  return kept ? std::move(*kept) : code_of_record(wanted, session);
}

std::string text_of_kind(const NamedCode& code, std::string_view kind) {
  std::vector<std::string> there;
  for (const auto& [name, text] : code_kinds()) {
    const std::string& found = code.side.texts.*text;
    if (found.empty()) continue;
    if (kind.empty() || name == kind) return found;
    there.emplace_back(name);
  }
  std::string why =
      kind == "sass" && !code.lack.empty() ? code.lack : fmt::format("{} has no {}", code.name, upper(kind));
  throw Error(Exit::negative, why, there.empty() ? "" : "there is " + join(there, ", "));
}

CodeDifference code_difference(const std::vector<CodeWanted>& wanted, const Session& session) {
  if (wanted.empty() || wanted.size() > 2)
    throw Error(Exit::usage, "code --diff: name two records or files, or one record",
                "explog code --diff A B");
  CodeWanted first = wanted.front(), last = wanted.back();
  if (wanted.size() == 1) {
    if (is_file(first.what))
      throw Error(Exit::usage, "code --diff: name a second file", "explog code --diff A B");
    first.before = true;
  }
  CodeDifference difference{code_named(first, session), code_named(last, session), false};
  const std::string &a = difference.before.side.code.hash, &b = difference.after.side.code.hash;
  difference.equal = !a.empty() && a == b;
  return difference;
}

}  // namespace explog::app
