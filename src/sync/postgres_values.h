// Values in PostgreSQL's binary form: parameters that are sent, and columns that are read without trust.
#pragma once
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"

struct pg_result;

namespace explog::sync {

// Numbers of types in every PostgreSQL (src/include/catalog/pg_type.dat) and in what speaks its protocol.
enum class Type : unsigned {
  boolean = 16,
  bytes = 17,
  int8 = 20,
  int2 = 21,
  int4 = 23,
  text = 25,
  uuid = 2950
};

// Parameters of one statement, $1, $2, ...
class Values {
 public:
  Values& text(std::string_view value);
  Values& bytes(std::string_view value);  // not copied: must outlive the statement
  Values& uuid(const Bytes16& value);
  Values& integer(std::int64_t value);  // bigint
  Values& small(int value);             // smallint
  Values& int4(int value);
  Values& boolean(bool value);
  Values& array(Type element, std::string encoded);  // of an ArrayWriter

  int size() const { return static_cast<int>(pointers_.size()); }
  const unsigned* types() const { return types_.data(); }
  const char* const* pointers() const { return pointers_.data(); }
  const int* lengths() const { return lengths_.data(); }
  const int* formats() const { return formats_.data(); }

 private:
  Values& own(unsigned type, std::string value);
  Values& add(unsigned type, std::string_view value);
  std::deque<std::string> owned_;
  std::vector<unsigned> types_;
  std::vector<const char*> pointers_;
  std::vector<int> lengths_, formats_;
};

// A one-dimensional array.
class ArrayWriter {
 public:
  ArrayWriter(Type element, size_t count);
  void add(std::string_view value);
  void add(const Bytes16& value);
  void add_null();
  void add_small(int value);
  void add_integer(std::int64_t value);
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

// One row of an answer. The server may be anybody's: a column of another type or length than asked for throws
// Error(remote).
class RowView {
 public:
  RowView(const pg_result* result, int row, const std::string& server)
      : result_(result), row_(row), server_(server) {}
  std::int64_t integer(int column) const;  // bigint
  int small(int column) const;             // smallint
  int int4(int column) const;
  bool boolean(int column) const;
  Bytes16 uuid(int column) const;
  std::string_view bytes(int column) const;  // valid until the next row
  std::string_view text(int column) const;   // valid until the next row
  bool is_null(int column) const;
  size_t size() const;  // bytes of all columns

 private:
  std::string_view raw(int column, Type type) const;
  std::string_view fixed(int column, Type type, size_t length) const;
  const pg_result* result_;
  int row_;
  const std::string& server_;
};

}  // namespace explog::sync
