// Reading CSV (RFC 4180) in which other lines may be mixed in.
#pragma once
#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace explog {

class CsvReader {
 public:
  // `text` must outlive the reader; a byte order mark is skipped.
  explicit CsvReader(std::string_view text);

  // The rest of the current line, without its end; at the end of the text an empty one.
  std::string_view peek_line() const;
  bool at_end() const { return at_ >= text_.size(); }
  void skip_line();
  // Reads one record, which may span lines where quotes do. False, and nothing is consumed, when its quotes
  // do not close or text follows a closing quote: then it is no record. Fields stay valid until the next
  // call.
  bool read(std::vector<std::string_view>& fields);

  std::size_t line() const { return line_; }  // of what is read next, from 1

 private:
  bool read_quoted(std::size_t& at, std::string_view& field);
  std::string_view text_;
  std::size_t at_ = 0, line_ = 1;
  std::deque<std::string> unescaped_;  // fields in which "" stood
};

}  // namespace explog
