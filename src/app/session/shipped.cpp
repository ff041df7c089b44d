#include "app/session/shipped.h"

#include <unistd.h>

#include <memory>
#include <sstream>

#include "base/embedded.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "intake/explog_jsonl.h"
#include "model/claim.h"
#include "store/shipped.h"

namespace explog::app {
namespace {

constexpr std::int64_t shipped_at_ms =
    1795132800000;  // 2026-11-20, before which all of it was measured or published

bool is_evidence(const EmbeddedFile& file) { return file.path.starts_with("strategies/evidence/"); }

// The lines of every embedded file of records, one file unpacked at a time.
class ShippedEvidence {
 public:
  ShippedEvidence() : files_(embedded_files()) {
    std::erase_if(files_, [](const EmbeddedFile& f) { return !is_evidence(f); });
  }

  std::optional<Parsed> next() {
    for (;;) {
      if (auto parsed = lines_ ? lines_() : std::nullopt) {
        parsed->where = replace_all(parsed->where, "stdin", std::string(files_[opened_ - 1].path));
        return parsed;
      }
      if (opened_ == files_.size()) return std::nullopt;
      const EmbeddedFile& file = files_[opened_++];
      text_.clear();
      text_.str(unpacked(file.text, std::string(file.path)));
      lines_ = intake::explog_jsonl("-", &text_);
    }
  }

 private:
  std::vector<EmbeddedFile> files_;
  std::size_t opened_ = 0;
  std::istringstream text_;
  Source lines_;
};

// A packed file ends with its checksum, so that its end names its content; the others are small.
std::string edition() {
  std::string names;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!is_evidence(file)) continue;
    std::size_t from = file.path.ends_with(".gz") && file.text.size() > 8 ? file.text.size() - 8 : 0;
    names += std::string(file.path) + ' ' + std::to_string(file.text.size()) + ' ';
    names += file.text.substr(from);
  }
  return hex(blake2b_128(names));
}

std::vector<store::Draft> shipped_records() {
  std::vector<store::Draft> records;
  Source source = shipped_evidence();
  while (auto parsed = source()) {
    if (!parsed->experience) continue;
    Experience& e = *parsed->experience;
    if (e.level.empty()) e.level = "imported";
    if (prepare(e, "measured").refused) continue;
    store::Draft& draft = records.emplace_back(store::Draft::of(std::move(e)));
    draft.id = uuid_v8(draft.body);
    draft.at_ms = shipped_at_ms;
  }
  return records;
}

}  // namespace

Source shipped_evidence() {
  return [shipped = std::make_shared<ShippedEvidence>()] { return shipped->next(); };
}

bool lacks_shipped(sql::Db& db) { return store::shipped_edition(db) != edition(); }

std::set<Uuid> shipped_ids() {
  std::set<Uuid> ids;
  for (const store::Draft& record : shipped_records()) ids.insert(*record.id);
  return ids;
}

void put_shipped(const Session& session) {
  std::string path = session.database();
  if (access(path.c_str(), F_OK) == 0 && access(path.c_str(), W_OK) != 0) return;  // as its owner left it
  session.progress("putting the records that ship with explog into the database");
  try {
    session.writer().put_shipped(edition(), shipped_records());
  } catch (const Error& e) {
    if (e.exit != Exit::store) throw;
    session.warn(std::string("without the records that ship with explog: ") + e.what());
    return;
  }
  session.progress("");
}

}  // namespace explog::app
