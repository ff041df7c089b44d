#include "app/records/import_files.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "app/session/shipped.h"
#include "base/error.h"
#include "base/file.h"
#include "base/file_tree.h"
#include "base/text.h"
#include "intake/formats.h"
#include "intake/loop_pages.h"

namespace explog::app {
namespace {

namespace fs = std::filesystem;

// What a pipe gives is gone once it was read: nothing of it can be looked at to guess a format.
bool can_be_read_once(const std::string& path) {
  std::error_code ignored;
  return path == "-" || fs::is_fifo(path, ignored) || fs::is_character_file(path, ignored);
}

const intake::Format* format_of(const std::string& path, const std::string& name) {
  if (!name.empty()) return intake::find_format(name);
  return can_be_read_once(path) ? intake::find_format("jsonl") : intake::guess_format(path);
}

// What a file of an experiment loop is that holds no record by itself; empty for any other.
std::string_view page_of_loop(const std::string& path) {
  const std::string head = read_head(path, size_t{64} << 10);
  return intake::loop_page(path, trim(head));
}

Source open_source(const std::string& path, const std::string& format_name, const Session& session) {
  if (path == "evidence:") return shipped_evidence();
  if (path == "evidence" && !fs::exists(path))
    throw Error(Exit::usage, "cannot read evidence: there is no such file (did you mean 'evidence:'?)",
                "'evidence:' are the records that ship with explog, which every database has from its first "
                "question");
  const intake::Format* format = format_of(path, format_name);
  if (format == nullptr) {
    if (std::string_view page = page_of_loop(path); !page.empty())
      throw Error(
          Exit::usage, printable(path) + ": " + std::string(page) + ", which is no record by itself",
          "perf_results.md of the same folder is imported; what a campaign judged is recorded already, and "
          "`explog export` hands it on");
    throw Error(Exit::usage, printable(path) + ": not a format explog reads",
                "name it with --format: " + join(import_formats(), ", "));
  }
  return format->open(path, session.piped);
}

// A file of many; in a folder there are others that are none of ours.
struct Listed {
  std::string path;
  bool from_folder = false;
};

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return path != "-" && fs::is_directory(path, ignored);
}

void list_folder(const std::string& folder, std::vector<Listed>& files, const Session& session) {
  FoundFiles found = find_files(folder);
  for (const std::string& why : found.unreadable) session.warn(why + "; what lies in it is not imported");
  for (std::string& path : found.paths) files.push_back({std::move(path), true});
}

// The records of many files as one: what cannot be read is one fault among them and stops none of the others.
class ManyFiles {
 public:
  ManyFiles(std::vector<Listed> files, std::string format, const Session& session)
      : files_(std::move(files)), format_(std::move(format)), session_(session) {}

  std::optional<Parsed> next() {
    for (;;) {
      try {
        if (source_) {
          if (auto parsed = source_()) return parsed;
          source_ = nullptr;
        }
        if (at_ == files_.size()) return none_of_ours();
        const Listed& file = files_[at_++];
        bool passed_over = file.from_folder && format_.empty() && intake::guess_format(file.path) == nullptr;
        if (passed_over)
          ++(page_of_loop(file.path).empty() ? foreign_ : pages_);
        else
          source_ = open_source(file.path, format_, session_);
      } catch (const Error& e) {
        if (e.exit != Exit::usage) throw;
        source_ = nullptr;
        Parsed parsed;
        parsed.fault = e.what() + (e.hint.empty() ? "" : "; " + e.hint);
        return parsed;
      }
    }
  }

  std::size_t foreign() const { return foreign_; }
  std::size_t pages() const { return pages_; }

 private:
  std::optional<Parsed> none_of_ours() const {
    if (foreign_ + pages_ < files_.size() || files_.empty()) return std::nullopt;
    if (std::exchange(told_, true)) return std::nullopt;
    Parsed parsed;
    parsed.fault = "none of " + std::to_string(files_.size()) + " files is of a format explog reads";
    return parsed;
  }

  std::vector<Listed> files_;
  std::string format_;
  const Session& session_;
  std::size_t at_ = 0, foreign_ = 0, pages_ = 0;
  mutable bool told_ = false;
  Source source_;
};

void add_to(Ingested& total, Ingested one) {
  total.added += one.added;
  total.skipped += one.skipped;
  total.rejected += one.rejected;
  total.remarks += one.remarks;
  total.interrupted |= one.interrupted;
  for (auto [to, from] : {std::pair(&total.rejections, &one.rejections), {&total.warnings, &one.warnings}}) {
    to->insert(to->end(), std::make_move_iterator(from->begin()), std::make_move_iterator(from->end()));
  }
}

}  // namespace

std::vector<std::string> import_formats() {
  std::vector<std::string> names;
  for (const intake::Format& format : intake::formats()) names.emplace_back(format.name);
  return names;
}

Ingested import_files(const ImportOptions& options, const Session& session) {
  IngestOptions ingesting;
  ingesting.by_content = true;
  ingesting.strict = options.strict;
  ingesting.dry_run = options.dry_run;
  ingesting.complete = [&](Experience& e) {
    options.complete(e);
    if (e.level.empty()) e.level = "imported";
  };
  bool single = options.files.size() == 1 && !is_folder(options.files[0]);
  auto import_source = [&](const std::string& name, const Source& source, std::uint64_t bytes) {
    // What ships with the program was measured by it; a file may say anything.
    ingesting.highest_level = name == "evidence:" ? "measured" : "imported";
    ingesting.what = "importing " + name;
    ingesting.input_bytes = bytes;
    return ingest(session, session.playbook(), source, ingesting, false);
  };
  auto import_one = [&](const std::string& path) {
    return import_source(path, open_source(path, options.format, session), plain_size(path));
  };
  if (single) return import_one(options.files[0]);
  Ingested total;
  std::vector<Listed> files;
  for (const std::string& path : options.files) {
    if (path == "evidence:")
      add_to(total, import_one(path));
    else if (is_folder(path))
      list_folder(path, files, session);
    else
      files.push_back({path});
    if (total.interrupted) return total;
  }
  if (files.empty()) return total;
  std::uint64_t bytes = 0;
  for (const Listed& file : files) bytes += plain_size(file.path);
  std::string name = std::to_string(files.size()) + " files";
  auto many = std::make_shared<ManyFiles>(std::move(files), options.format, session);
  add_to(total, import_source(
                    name, [many] { return many->next(); }, bytes));
  total.foreign = many->foreign(), total.pages = many->pages();
  return total;
}

}  // namespace explog::app
