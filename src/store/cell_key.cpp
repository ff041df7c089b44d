#include "store/cell_key.h"

#include <functional>
#include <string_view>

namespace explog::store {
namespace {

std::size_t hash_of(const SharedText& text) { return std::hash<std::string_view>()(text); }
std::size_t hash_of(Grain grain) { return static_cast<std::size_t>(grain); }
std::size_t hash_of(std::int64_t number) { return static_cast<std::size_t>(number); }
std::size_t hash_of(bool flag) { return flag ? 1 : 0; }

void bind_part(sql::Stmt& statement, int column, const SharedText& text) {
  statement.bind_text(column, text);
}
void bind_part(sql::Stmt& statement, int column, Grain grain) {
  statement.bind(column, static_cast<std::int64_t>(grain));
}
void bind_part(sql::Stmt& statement, int column, std::int64_t number) { statement.bind(column, number); }
void bind_part(sql::Stmt& statement, int column, bool flag) { statement.bind(column, std::int64_t{flag}); }

}  // namespace

std::size_t CellKeyHash::operator()(const CellKey& key) const {
  constexpr std::size_t odd = 0x9E3779B97F4A7C15;  // spreads the bits of small numbers
  std::size_t hash = 0;
  std::apply([&](const auto&... part) { ((hash = (hash ^ hash_of(part)) * odd), ...); }, key.tuple());
  return hash;
}

void bind_key(sql::Stmt& statement, const CellKey& key) {
  int column = 0;
  std::apply([&](const auto&... part) { (bind_part(statement, ++column, part), ...); }, key.tuple());
}

}  // namespace explog::store
