#include "store/code_folder.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/zstd.h"

namespace explog::store {
namespace {

namespace code_files = std::filesystem;

constexpr const char* code_folder_format = ".code/1";  // the format's number is the folder's name

}  // namespace

CodeFolder::CodeFolder(const std::string& database, std::uintmax_t most)
    : folder_(database + code_folder_format), most_(most) {}

bool is_code_hash(const std::string& text) {
  constexpr std::size_t digits = 32;
  return text.size() == digits && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

std::string CodeFolder::file(const std::string& hash, const std::string& kind) const {
  return folder_ + "/" + hash + "." + kind + ".zst";
}

void CodeFolder::keep(const std::string& hash, const std::string& kind, const std::string& text) const {
  if (!is_code_hash(hash) || text.empty() || text.size() > longest_text) return;
  std::string path = file(hash, kind), unfinished = path + "." + hex(random_bytes16());
  if (access(path.c_str(), R_OK) == 0) return;
  make_directories(folder_);
  std::error_code failed;
  try {
    write_file(unfinished, compress(text));
  } catch (const Error& e) {
    code_files::remove(unfinished, failed);
    throw Error(Exit::store, e.what());
  }
  code_files::rename(unfinished, path, failed);
  if (failed) throw Error(Exit::store, "cannot write " + path + ": " + failed.message());
  prune();
}

std::optional<std::string> CodeFolder::find(const std::string& hash, const std::string& kind) const {
  if (!is_code_hash(hash)) return std::nullopt;
  std::string path = file(hash, kind);
  if (access(path.c_str(), R_OK) != 0) return std::nullopt;
  return read_file(path, nullptr, longest_text);
}

void CodeFolder::erase(const std::string& hash) const {
  std::error_code ignored;
  if (!is_code_hash(hash)) return;
  for (const auto& entry : code_files::directory_iterator(folder_, ignored)) {
    if (entry.path().filename().string().starts_with(hash)) code_files::remove(entry.path(), ignored);
  }
}

void CodeFolder::prune() const {
  std::vector<std::pair<code_files::file_time_type, code_files::path>> files;
  std::uintmax_t total = 0;
  std::error_code ignored;
  for (const auto& entry : code_files::directory_iterator(folder_, ignored)) {
    if (!entry.is_regular_file(ignored)) continue;
    total += entry.file_size(ignored);
    files.emplace_back(entry.last_write_time(ignored), entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const auto& [time, path] : files) {
    if (total <= most_) return;
    std::uintmax_t size = code_files::file_size(path, ignored);
    total -= std::min(total, ignored ? 0 : size);
    code_files::remove(path, ignored);
  }
}

}  // namespace explog::store
