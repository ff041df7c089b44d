#include "sync/directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "base/zstd.h"
#include "sync/folder.h"
#include "sync/segment_file.h"

namespace explog::sync {
namespace {

constexpr const char* version_folder = "explog-v1";
constexpr const char* label_file = "label";  // beside the segments: how the writer's database is called
constexpr size_t longest_label = 200;
constexpr std::int64_t settled_s = 3600;  // a file that is broken for so long is not being copied any more

struct File {
  std::string writer, name;
  FileName range;
};

bool is_origin(const std::string& name) {
  return name.size() == 32 && name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

class Directory : public Remote {
 public:
  explicit Directory(std::string path) : path_(std::move(path)) {}

  std::string where() const override { return "dir:" + path_; }
  Outcome<std::string> init(const Founding& founding) override;
  Outcome<Welcome> connect(const Identity& self, const std::string& cursor) override;
  Outcome<Pushed> push(const Segment& segment) override;
  Outcome<bool> flush() override;
  Outcome<bool> erase(const std::vector<Erased>& erased) override;
  Outcome<Page> pull(const Heads& have) override;

 private:
  Failure failed(const std::string& what, int reason) const;
  void list();
  void sweep(bool check_digests);
  void find_damaged();
  Heads coverage() const;
  std::map<OriginId, std::string> labels() const;
  void write_label() const;
  std::optional<Failure> enter_own();
  std::optional<Failure> write(const std::string& text, const Segment& first, std::int64_t last);
  const File* best(const OriginId& origin, std::int64_t head) const;
  void read(const File& file, std::int64_t head, Page& page);

  std::string path_;
  Folder root_, shared_, own_;
  std::string writer_, label_;
  std::map<OriginId, std::vector<File>> files_;
  std::set<std::string> spoiled_;  // WRITER/NAME of files that could not be used
  std::set<std::string> damaged_;  // of files whose bytes do not fit their name, when all were looked at
  struct LastRead {
    std::string place;
    OriginId origin{};
    std::int64_t to = 0;
  };
  std::optional<LastRead> last_read_;
  std::string waiting_;           // lines of the file being put together
  std::optional<Segment> begun_;  // its first segment, without events
  std::int64_t until_ = 0;
};

Failure Directory::failed(const std::string& what, int reason) const {
  bool permission =
      reason == EACCES || reason == EPERM || reason == EROFS || reason == ENOENT || reason == ENOTDIR;
  return {permission ? Failure::Kind::refused : Failure::Kind::unreachable,
          fmt::format("cannot {} {}: {}", what, path_, std::strerror(reason)),
          reason == ENOENT ? "make the folder, or mount it" : ""};
}

Outcome<std::string> Directory::init(const Founding& founding) {
  if (!founding.empty())
    return Failure{Failure::Kind::misused, "a folder has no members and no tiers",
                   "its permissions say who may use it"};
  Folder root = Folder::open(path_);
  if (!root) return failed("open", errno);
  if (!root.make(version_folder)) return failed("write in", errno);
  return "the folder is ready: everybody who shares it adds it with `explog remote add NAME " + where() + "`";
}

void Directory::list() {
  files_.clear();
  if (!shared_) return;
  for (const std::string& writer : shared_.names()) {
    if (!is_origin(writer)) continue;
    Folder folder = shared_.enter(writer);
    if (!folder) continue;
    for (std::string& name : folder.names()) {
      if (auto range = parse_file_name(name))
        files_[range->origin].push_back({writer, std::move(name), *range});
    }
  }
  for (auto& [origin, files] : files_)
    std::sort(files.begin(), files.end(),
              [](const File& a, const File& b) { return a.range.first < b.range.first; });
}

// Our own folder: what a crash left behind goes, and so does what the file system has spoiled: it is sent
// again.
void Directory::sweep(bool check_digests) {
  if (!own_) return;
  for (const std::string& name : own_.names()) {
    auto range = parse_file_name(name);
    bool stale = name.starts_with(".tmp-");
    if (range && check_digests) {
      auto content = own_.read(name, max_file_bytes);
      stale = content && file_digest(content->bytes) != range->digest;
    }
    if (stale) own_.remove(name);
  }
}

// Whoever has what a damaged file held writes it again: its writer may have gone for good.
void Directory::find_damaged() {
  damaged_.clear();
  for (const auto& [origin, files] : files_) {
    for (const File& file : files) {
      Folder folder = shared_.enter(file.writer);
      auto content = folder ? folder.read(file.name, max_file_bytes) : std::nullopt;
      if (!content || file_digest(content->bytes) != file.range.digest)
        damaged_.insert(file.writer + "/" + file.name);
    }
  }
}

// By the files' names. Of our own log only what lies in our own folder: a stranger's file must not keep us
// from publishing.
Heads Directory::coverage() const {
  Heads heads;
  for (const auto& [origin, files] : files_) {
    bool ours = hex(origin) == writer_;
    std::int64_t to = 0;
    for (const File& file : files) {
      bool counts = (!ours || file.writer == writer_) && !damaged_.contains(file.writer + "/" + file.name);
      if (counts && file.range.first <= to + 1) to = std::max(to, file.range.last);
    }
    if (to > 0) heads[origin] = {to, ""};
  }
  return heads;
}

Outcome<Welcome> Directory::connect(const Identity& self, const std::string& cursor) {
  root_ = Folder::open(path_);
  if (!root_) return failed("open", errno);
  shared_ = root_.enter(version_folder);
  if (!shared_ && errno != ENOENT) return failed("open", errno);
  if (!shared_ && !cursor.empty()) {
    return Failure{Failure::Kind::unreachable, "what was shared in " + path_ + " is gone",
                   "mount it again; if it was emptied on purpose: explog sync --full"};
  }
  writer_ = hex(self.origin);
  if (shared_) own_ = shared_.enter(writer_);
  sweep(cursor.empty());
  list();
  if (cursor.empty()) find_damaged();
  label_ = self.label;
  Welcome welcome{coverage(), true, "", labels()};
  return welcome;
}

// A line of text in each writer's folder.
std::map<OriginId, std::string> Directory::labels() const {
  std::map<OriginId, std::string> labels;
  if (!shared_) return labels;
  for (const std::string& writer : shared_.names()) {
    auto bytes = is_origin(writer) ? from_hex(writer) : std::nullopt;
    auto id = bytes ? array_of<16>(*bytes) : std::nullopt;
    Folder folder = id ? shared_.enter(writer) : Folder();
    auto content = folder ? folder.read(label_file, longest_label) : std::nullopt;
    if (content) labels[*id] = content->bytes;
  }
  return labels;
}

void Directory::write_label() const {
  auto there = own_.read(label_file, longest_label);
  if (!label_.empty() && (!there || there->bytes != label_)) own_.write(label_file, label_);
}

std::optional<Failure> Directory::enter_own() {
  if (own_) return std::nullopt;
  if (!root_.make(version_folder)) return failed("write in", errno);
  shared_ = root_.enter(version_folder);
  if (!shared_ || !shared_.make(writer_)) return failed("write in", errno);
  own_ = shared_.enter(writer_);
  return own_ ? std::nullopt : std::optional(failed("write in", errno));
}

std::optional<Failure> Directory::write(const std::string& text, const Segment& first, std::int64_t last) {
  if (auto failure = enter_own()) return failure;
  std::string packed = compress(text);
  std::string name = file_name({first.origin, first.first, last, file_digest(packed)});
  std::string reason = own_.write(name, packed);
  write_label();
  if (reason.empty()) return std::nullopt;
  return Failure{Failure::Kind::unreachable, fmt::format("cannot write in {}: {}", path_, reason), ""};
}

Outcome<Pushed> Directory::push(const Segment& segment) {
  bool follows = begun_ && begun_->origin == segment.origin && until_ + 1 == segment.first;
  if (begun_ && (!follows || waiting_.size() >= file_target_bytes)) {
    if (auto done = flush(); !done) return done.failure();
  }
  if (!begun_) {
    begun_ = segment;
    begun_->events.clear();
  }
  append_lines(waiting_, segment);
  until_ = segment.last();
  return Pushed{Pushed::Answer::stored, {segment.last(), bytes_of(segment.head)}};
}

Outcome<bool> Directory::flush() {
  if (!begun_) return true;
  auto failure = write(waiting_, *begun_, until_);
  begun_.reset();
  waiting_.clear();
  if (failure) return *failure;
  return true;
}

// Files are never changed: those of ours that hold the body are written again without it, and the old ones
// go.
Outcome<bool> Directory::erase(const std::vector<Erased>& erased) {
  if (!own_) return true;
  for (const std::string& name : own_.names()) {
    auto range = parse_file_name(name);
    auto touches = [&](const Erased& e) {
      return range && e.origin == range->origin && e.seq >= range->first && e.seq <= range->last;
    };
    if (std::none_of(erased.begin(), erased.end(), touches)) continue;
    auto content = own_.read(name, max_file_bytes);
    auto parsed = content ? parse_file(content->bytes) : "";
    auto* segments = std::get_if<std::vector<Segment>>(&parsed);
    if (segments == nullptr) continue;
    bool changed = false;
    for (const Erased& e : erased) {
      for (Segment& s : *segments) {
        if (!touches(e) || e.seq < s.first || e.seq > s.last()) continue;
        LogEvent& event = s.events[static_cast<size_t>(e.seq - s.first)];
        if (event.redacted) continue;
        event.redacted = event.body_digest();
        event.body.clear();
        changed = true;
      }
    }
    if (!changed) continue;
    std::string text;
    for (const Segment& s : *segments) append_lines(text, s);
    if (auto failure = write(text, segments->front(), segments->back().last())) return *failure;
    own_.remove(name);
  }
  return true;
}

// The file that continues a log at `head + 1` and reaches furthest.
const File* Directory::best(const OriginId& origin, std::int64_t head) const {
  const File* best = nullptr;
  auto files = files_.find(origin);
  if (files == files_.end()) return nullptr;
  for (const File& file : files->second) {
    if (file.range.first > head + 1) break;
    if (file.range.last <= head || spoiled_.contains(file.writer + "/" + file.name)) continue;
    if (best == nullptr || file.range.last > best->range.last) best = &file;
  }
  return best;
}

void Directory::read(const File& file, std::int64_t head, Page& page) {
  const std::string place = file.writer + "/" + file.name;
  Folder folder = shared_.enter(file.writer);
  auto content = folder ? folder.read(file.name, max_file_bytes) : std::nullopt;
  auto refuse = [&](const std::string& reason, bool passing) {
    spoiled_.insert(place);
    page.problems.push_back({place, reason, passing});
  };
  if (!content) return refuse("it cannot be read, or is larger than 64 MiB", true);
  if (file_digest(content->bytes) != file.range.digest)
    return refuse("it is not whole, or was damaged", content->age_s < settled_s);
  auto parsed = parse_file(content->bytes);
  if (auto* fault = std::get_if<std::string>(&parsed)) return refuse(*fault, false);
  std::int64_t at = head;
  for (Segment& segment : std::get<std::vector<Segment>>(parsed)) {
    if (segment.origin != file.range.origin || segment.first > at + 1)
      return refuse("it does not hold what its name says", false);
    if (segment.last() <= at) continue;
    at = segment.last();
    page.segments.push_back(std::move(segment));
  }
  last_read_ = {place, file.range.origin, at};
  if (at < file.range.last) refuse("it does not hold what its name says", false);
}

Outcome<Page> Directory::pull(const Heads& have) {
  auto head_of = [&](const OriginId& origin) {
    auto known = have.find(origin);
    return known == have.end() ? 0 : known->second.seq;
  };
  // What was not accepted is not offered again: another file may hold the same events as they should be.
  if (last_read_ && head_of(last_read_->origin) < last_read_->to) spoiled_.insert(last_read_->place);
  last_read_.reset();
  Page page;
  page.cursor = shared_ ? "1" : "";  // nothing was ever shared here: its absence is no loss
  for (const auto& [origin, files] : files_) {
    if (const File* file = best(origin, head_of(origin))) {
      read(*file, head_of(origin), page);
      return page;
    }
  }
  page.end = true;
  return page;
}

}  // namespace

std::unique_ptr<Remote> make_directory(const std::string& url) {
  std::string path = url.substr(4);
  if (path.empty()) throw Error(Exit::usage, "dir: names no folder", "dir:/shared/explog");
  return std::make_unique<Directory>(path);
}

}  // namespace explog::sync
