#include "store/cell_rows.h"

#include <array>
#include <memory>

#include "store/cell_page.h"
#include "store/packed_bytes.h"

namespace explog::store {
namespace {

enum class Form { text, small, number, flag };
struct Part {
  const char* name;
  Form form;
};
constexpr std::array<Part, 14> parts_in_order = {{{"strategy", Form::text},
                                                  {"backend", Form::text},
                                                  {"arch", Form::text},
                                                  {"kernel_type", Form::text},
                                                  {"dtype", Form::text},
                                                  {"bottleneck", Form::text},
                                                  {"size", Form::small},
                                                  {"latency", Form::small},
                                                  {"state", Form::text},
                                                  {"level", Form::text},
                                                  {"origin", Form::number},
                                                  {"source", Form::text},
                                                  {"quarter", Form::number},
                                                  {"mirrored", Form::flag}}};
constexpr std::size_t head_parts = 9;  // the others are the tail's

sql::Value take_number_of(Form form, std::string_view& rest) {
  std::int64_t value = 0;
  bool there = form == Form::small    ? take_number<2>(rest, value)
               : form == Form::number ? take_number<4>(rest, value)
                                      : take_number<1>(rest, value);
  return there ? sql::Value(value) : sql::Value();
}

// Part `i` of a key that is in two pieces.
sql::Value part_of(std::string_view head, std::string_view tail, std::size_t i) {
  std::string_view rest = i < head_parts ? head : tail;
  for (std::size_t at = i < head_parts ? 0 : head_parts; at < i; ++at) {
    if (parts_in_order[at].form == Form::text) {
      if (!take_bytes(rest)) return {};
    } else {
      take_number_of(parts_in_order[at].form, rest);
    }
  }
  if (parts_in_order[i].form != Form::text) return take_number_of(parts_in_order[i].form, rest);
  auto bytes = take_bytes(rest);
  return bytes ? sql::Value(unescaped(*bytes)) : sql::Value();
}

class CellRows : public sql::Rows {
 public:
  explicit CellRows(const std::vector<sql::Argument>& page)
      : first_(page[0].blob()), cells_(page[1].blob()), cursor_(first_, cells_) {}
  bool next() override {
    if (cursor_.next()) return true;
    return !std::exchange(ended_, true) && cursor_.damaged();
  }
  sql::Value column(int i) const override {
    auto place = static_cast<std::size_t>(i);
    if (ended_) return {};
    if (place < parts_in_order.size()) return part_of(cursor_.head(), cursor_.tail(), place);
    return cursor_.counts().*counts_in_order[place - parts_in_order.size()].second;
  }

 private:
  std::string first_, cells_;
  PageCursor cursor_;
  bool ended_ = false;
};

sql::TableFunction make_cell_row() {
  sql::TableFunction function{
      {}, 2, [](const std::vector<sql::Argument>& page) -> std::unique_ptr<sql::Rows> {
        return std::make_unique<CellRows>(page);
      }};
  for (const Part& part : parts_in_order) function.columns.emplace_back(part.name);
  for (const auto& [name, count] : counts_in_order) function.columns.emplace_back(name);
  return function;
}

}  // namespace

const sql::TableFunction& cell_row() {
  static const sql::TableFunction function = make_cell_row();
  return function;
}

std::string counted_cells() {
  return "(SELECT c.family, r.* FROM cell c, cell_row(c.first, c.cells) r WHERE c.grain IN (0, 3) AND "
         "r.mirrored = 0)";
}

}  // namespace explog::store
