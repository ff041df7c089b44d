#include "sync/postgres_values.h"

#include "base/error.h"
#include "sync/libpq.h"

namespace explog::sync {
namespace {

void put(std::string& out, std::uint64_t value, int length) {  // network order
  for (int shift = 8 * (length - 1); shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xFF);
}

std::string big_endian(std::uint64_t value, int length) {
  std::string out;
  put(out, value, length);
  return out;
}

std::uint64_t read_big_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (char c : bytes) value = value << 8 | static_cast<unsigned char>(c);
  return value;
}

std::string_view view(const Bytes16& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

constexpr unsigned array_type(Type element) {
  switch (element) {
    case Type::boolean:
      return 1000;
    case Type::bytes:
      return 1001;
    case Type::int2:
      return 1005;
    case Type::int4:
      return 1007;
    case Type::text:
      return 1009;
    case Type::int8:
      return 1016;
    case Type::uuid:
      return 2951;
  }
  return 0;
}

}  // namespace

Values& Values::add(unsigned type, std::string_view value) {
  types_.push_back(type);
  pointers_.push_back(value.data() == nullptr ? "" : value.data());
  lengths_.push_back(static_cast<int>(value.size()));
  formats_.push_back(1);
  return *this;
}

Values& Values::own(unsigned type, std::string value) {
  owned_.push_back(std::move(value));  // a deque: earlier pointers stay
  return add(type, owned_.back());
}

Values& Values::text(std::string_view value) {
  return own(static_cast<unsigned>(Type::text), std::string(value));
}
Values& Values::bytes(std::string_view value) { return add(static_cast<unsigned>(Type::bytes), value); }
Values& Values::uuid(const Bytes16& value) {
  return own(static_cast<unsigned>(Type::uuid), std::string(view(value)));
}
Values& Values::integer(std::int64_t value) {
  return own(static_cast<unsigned>(Type::int8), big_endian(static_cast<std::uint64_t>(value), 8));
}
Values& Values::small(int value) {
  return own(static_cast<unsigned>(Type::int2), big_endian(static_cast<std::uint64_t>(value), 2));
}
Values& Values::int4(int value) {
  return own(static_cast<unsigned>(Type::int4), big_endian(static_cast<std::uint64_t>(value), 4));
}
Values& Values::boolean(bool value) {
  return own(static_cast<unsigned>(Type::boolean), std::string(1, value ? 1 : 0));
}
Values& Values::array(Type element, std::string encoded) {
  return own(array_type(element), std::move(encoded));
}

ArrayWriter::ArrayWriter(Type element, size_t count) {
  put(out_, count == 0 ? 0 : 1, 4);  // dimensions
  put(out_, 1, 4);                   // there may be NULLs
  put(out_, static_cast<unsigned>(element), 4);
  if (count == 0) return;
  put(out_, count, 4);
  put(out_, 1, 4);  // first index
}

void ArrayWriter::add(std::string_view value) {
  put(out_, value.size(), 4);
  out_ += value;
}
void ArrayWriter::add(const Bytes16& value) { add(view(value)); }
void ArrayWriter::add_null() { put(out_, 0xFFFFFFFF, 4); }
void ArrayWriter::add_small(int value) { put(out_, 2, 4), put(out_, static_cast<std::uint64_t>(value), 2); }
void ArrayWriter::add_integer(std::int64_t value) {
  put(out_, 8, 4), put(out_, static_cast<std::uint64_t>(value), 8);
}

std::string_view RowView::raw(int column, Type type) const {
  if (column >= pq().nfields(result_) || pq().ftype(result_, column) != static_cast<unsigned>(type) ||
      pq().fformat(result_, column) != 1 || pq().getisnull(result_, row_, column) != 0)
    throw Error(Exit::remote, server_ + ": the server sent a row that explog did not ask for",
                "it is not an explog remote, or a newer one");
  return {pq().getvalue(result_, row_, column), static_cast<size_t>(pq().getlength(result_, row_, column))};
}

std::string_view RowView::fixed(int column, Type type, size_t length) const {
  std::string_view value = raw(column, type);
  if (value.size() != length)
    throw Error(Exit::remote, server_ + ": the server sent a value of a wrong length");
  return value;
}

std::int64_t RowView::integer(int column) const {
  return static_cast<std::int64_t>(read_big_endian(fixed(column, Type::int8, 8)));
}
int RowView::small(int column) const {
  return static_cast<std::int16_t>(read_big_endian(fixed(column, Type::int2, 2)));
}
int RowView::int4(int column) const {
  return static_cast<std::int32_t>(read_big_endian(fixed(column, Type::int4, 4)));
}
bool RowView::boolean(int column) const { return fixed(column, Type::boolean, 1)[0] != 0; }
Bytes16 RowView::uuid(int column) const {
  std::string_view value = fixed(column, Type::uuid, 16);
  Bytes16 out;
  std::copy(value.begin(), value.end(), out.begin());
  return out;
}
std::string_view RowView::bytes(int column) const { return raw(column, Type::bytes); }
std::string_view RowView::text(int column) const { return raw(column, Type::text); }
bool RowView::is_null(int column) const {
  return column < pq().nfields(result_) && pq().getisnull(result_, row_, column) != 0;
}

size_t RowView::size() const {
  size_t sum = 0;
  for (int column = 0; column < pq().nfields(result_); ++column)
    sum += static_cast<size_t>(pq().getlength(result_, row_, column));
  return sum;
}

}  // namespace explog::sync
