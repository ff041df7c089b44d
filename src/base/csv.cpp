#include "base/csv.h"

#include <algorithm>

#include "base/text.h"

namespace explog {
namespace {

constexpr std::size_t longest_record = 4 << 20;  // an unclosed quote ends here
constexpr std::size_t most_fields = 65536;

}  // namespace

CsvReader::CsvReader(std::string_view text) : text_(text) {
  if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
}

std::string_view CsvReader::peek_line() const {
  std::string_view line = text_.substr(at_, text_.find('\n', at_) - at_);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

void CsvReader::skip_line() {
  std::size_t end = text_.find('\n', at_);
  at_ = end == std::string_view::npos ? text_.size() : end + 1;
  ++line_;
}

// From the quote at `at` to behind the closing one.
bool CsvReader::read_quoted(std::size_t& at, std::string_view& field) {
  std::size_t start = at + 1, limit = std::min(text_.size(), at_ + longest_record);
  bool doubled = false;
  for (at = start; at < limit; ++at) {
    if (text_[at] != '"') continue;
    if (at + 1 >= text_.size() || text_[at + 1] != '"') break;
    doubled = true;
    ++at;
  }
  if (at >= limit) return false;
  field = text_.substr(start, at - start);
  ++at;
  if (doubled) {
    unescaped_.push_back(replace_all(std::string(field), "\"\"", "\""));
    field = unescaped_.back();
  }
  return true;
}

bool CsvReader::read(std::vector<std::string_view>& fields) {
  fields.clear();
  unescaped_.clear();
  std::size_t at = at_;
  while (true) {
    std::string_view field;
    if (at < text_.size() && text_[at] == '"') {
      if (!read_quoted(at, field)) return false;
    } else {
      std::size_t end = std::min(text_.find_first_of(",\r\n", at), text_.size());
      field = text_.substr(at, end - at);
      at = end;
    }
    fields.push_back(field);
    if (fields.size() > most_fields) return false;
    if (at < text_.size() && text_[at] == ',') {
      ++at;
      continue;
    }
    if (at < text_.size() && text_[at] == '\r') ++at;
    if (at < text_.size() && text_[at] != '\n') return false;
    break;
  }
  line_ += 1 + static_cast<std::size_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                   text_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  at_ = std::min(at + 1, text_.size());
  return true;
}

}  // namespace explog
