#include "bench/harness/source_file.h"

#include <re2/re2.h>
#include <unistd.h>

#include <filesystem>
#include <set>

#include "base/embedded.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "model/backend.h"
#include "model/comments.h"
#include "model/python_knobs.h"
#include "model/source_flags.h"

namespace explog::bench {
namespace {

namespace fs = std::filesystem;

// The file that `#include "name"` means in `folder`, on disk or among the program's own.
std::optional<IncludedFile> find_include(const std::string& folder, bool is_embedded,
                                         const std::string& name) {
  if (folder.empty()) return std::nullopt;
  fs::path path = fs::path(folder) / name;
  if (is_embedded) {
    std::string inside = path.lexically_normal().string();
    auto text = embedded_file(inside);
    return text ? std::optional(IncludedFile{name, inside, std::string(*text)}) : std::nullopt;
  }
  std::error_code ignored;
  std::string found = fs::weakly_canonical(path, ignored).string();
  if (access(found.c_str(), R_OK) != 0) return std::nullopt;
  return IncludedFile{name, found, read_file(found)};
}

void collect_includes(const std::string& folder, bool is_embedded, const std::string& text,
                      std::set<std::string>& seen, std::vector<IncludedFile>& found) {
  static const RE2 form(R"((?m)^\s*#\s*include\s*"([^"\n]+)\")");
  re2::StringPiece rest(text);
  for (std::string name; RE2::FindAndConsume(&rest, form, &name);) {
    auto file = find_include(folder, is_embedded, name);
    if (!file || !seen.insert(file->path).second) continue;
    found.push_back(*file);
    collect_includes(fs::path(file->path).parent_path().string(), is_embedded, file->text, seen, found);
  }
}

// Modules beside a file of Python's; what lies elsewhere belongs to the interpreter.
void collect_modules(const std::string& folder, bool is_embedded, const std::string& text,
                     std::set<std::string>& seen, std::vector<IncludedFile>& found) {
  static const RE2 form(R"((?m)^[ \t]*(?:from|import)[ \t]+(\w+))");
  re2::StringPiece rest(text);
  for (std::string name; RE2::FindAndConsume(&rest, form, &name);) {
    auto file = find_include(folder, is_embedded, name + ".py");
    if (!file || !seen.insert(file->path).second) continue;
    found.push_back(*file);
    collect_modules(folder, is_embedded, file->text, seen, found);
  }
}

// Sources in C++ and CUDA that a file of Python's names, with what these include, below its folder: it builds them.
void collect_named_sources(const SourceFile& source, std::set<std::string>& seen,
                           std::vector<IncludedFile>& found) {
  static const RE2 form(R"(["']([\w./-]+\.(?:cu|cuh|cpp|cc|cxx|c|h|hpp|inl))["'])");
  std::vector<IncludedFile> all;
  re2::StringPiece rest(source.text);
  for (std::string name; RE2::FindAndConsume(&rest, form, &name);) {
    auto file = find_include(source.folder, source.embedded, name);
    if (!file || !seen.insert(file->path).second) continue;
    all.push_back(*file);
    collect_includes(fs::path(file->path).parent_path().string(), source.embedded, file->text, seen, all);
  }
  std::error_code ignored;
  const fs::path folder =
      source.embedded ? fs::path(source.folder) : fs::weakly_canonical(source.folder, ignored);
  for (IncludedFile& file : all) {
    file.name = fs::path(file.path).lexically_relative(folder).string();
    if (!file.name.starts_with("..")) found.push_back(std::move(file));
  }
}

// A Python module's own NAME = ... in the first column gets the value; what stands behind it on the line stays. Else the
// places where such a value is known to stand.
void assign(SourceFile& source, const std::string& name, const Scalar& value) {
  RE2 line("(?m)^(" + RE2::QuoteMeta(name) + "[ \\t]*=[ \\t]*)[^\\s#]+");
  if (RE2::Replace(&source.text, line, "\\1" + scalar_text(value))) return;
  std::vector<KnobPlace> places = python_knobs(without_comments(source.text, {.python = true}));
  std::erase_if(places, [&](const KnobPlace& place) { return place.name != name; });
  if (places.empty())
    throw Error(Exit::usage, source.name + " has no line '" + name + " = ...' to configure");
  for (auto place = places.rbegin(); place != places.rend(); ++place)
    source.text.replace(place->begin, place->end - place->begin, written_value(*place, value));
}

}  // namespace

SourceFile read_source(const std::string& path) {
  fs::path p(path);
  std::error_code ignored;
  if (fs::is_directory(p, ignored)) throw Error(Exit::usage, path + " is a folder, not a source file");
  std::string folder = fs::absolute(p, ignored).parent_path().string();
  return {p.filename().string(), folder, read_file(path, nullptr, std::size_t{16} << 20)};
}

SourceFile configured(const SourceFile& source, const Settings& settings) {
  return configured(source, settings, source.name);
}

SourceFile configured(const SourceFile& source, const Settings& settings, const std::string& name) {
  SourceFile result = source;
  if (source.name.ends_with(".py")) {
    for (const auto& [macro, value] : settings) assign(result, macro, value);
    result.name = name;
    return result;
  }
  result.name = name;
  result.text.clear();
  for (const auto& [name, value] : settings)
    result.text += "#define " + name + " " + scalar_text(value) + "\n";
  result.text += "#line 1 \"" + source.name + "\"\n" + source.text;
  return result;
}

std::vector<IncludedFile> included_files(const SourceFile& source) {
  std::set<std::string> seen;
  std::vector<IncludedFile> found;
  if (!source.name.ends_with(".py")) {
    collect_includes(source.folder, source.embedded, source.text, seen, found);
    for (IncludedFile& file : linked_files(source)) found.push_back(std::move(file));
    return found;
  }
  collect_modules(source.folder, source.embedded, source.text, seen, found);
  collect_named_sources(source, seen, found);
  return found;
}

// An assembler's .incbin could read what changes unseen; what is named here is part of the candidate.
std::vector<IncludedFile> linked_files(const SourceFile& source) {
  std::vector<IncludedFile> found;
  if (source.name.ends_with(".py") || backend_of_file(source.name).empty()) return found;
  for (const std::string& name : files_to_link(source.text)) {
    const std::string asked = source.name + ": '// link: " + printable(name) + "'";
    if (!is_linkable(name))
      throw Error(Exit::usage, asked + " is neither an object (.o) nor an archive (.a)",
                  "libraries of the system are linked by --flag -lNAME");
    auto file = find_include(source.folder, source.embedded, name);
    if (!file)
      throw Error(Exit::usage, asked + ": no such file", "it is looked for from the source's folder");
    file->is_linked = true;
    found.push_back(std::move(*file));
  }
  return found;
}

std::string hash_of(const SourceFile& source) {
  std::string all = source.text + '\0';
  if (source.run_by == compiled_torch) all += source.run_by + '\0';
  for (const IncludedFile& file : included_files(source)) all += file.name + '\0' + file.text + '\0';
  return hex(blake2b_128(all));
}

}  // namespace explog::bench
