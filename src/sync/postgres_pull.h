// Segments on their way from the server, a page at a time, in the order in which they were committed.
#pragma once
#include "sync/postgres_connection.h"
#include "sync/remote.h"

namespace explog::sync {

// Where a reader is: the last batch that it has taken in, of which history.
struct PullCursor {
  OriginId epoch{};
  std::int64_t position = 0;
  std::string head;  // the batch's head hash, empty at 0: another value at this position is another history
  std::string text() const;
};
std::optional<PullCursor> parse_pull_cursor(const std::string& text);

class PostgresPull {
 public:
  explicit PostgresPull(PostgresConnection& connection) : connection_(connection) {}
  // `last` is the stream's last position as far as is known.
  void begin(PullCursor from, std::int64_t last) { at_ = std::move(from), last_ = last, headers_.clear(); }
  Outcome<Page> pull(const Heads& have);

 private:
  struct Header {
    std::int64_t position = 0, last = 0, bytes = 0, received = 0;
    std::string fault;  // why the batch cannot be used
    Segment segment;
  };
  ServerFailure read_headers();
  Header read_header(const RowView& row) const;
  std::vector<Header*> choose(const Heads& have, size_t& taken);
  void accept(const RowView& row, const std::vector<Header*>& chosen) const;
  ServerFailure read_events(const std::vector<Header*>& chosen);
  Page page_of(const std::vector<Header*>& chosen, size_t taken);

  PostgresConnection& connection_;
  PullCursor at_;
  std::int64_t last_ = 0;
  std::vector<Header> headers_;  // read ahead
};

}  // namespace explog::sync
