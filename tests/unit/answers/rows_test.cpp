#include "answers/rows.h"

#include <doctest/doctest.h>

#include <sstream>

#include "base/text.h"

using namespace explog;
using answers::RowPrinter;

namespace {

std::string table(bool interactive, int width) {
  std::ostringstream out, err;
  answers::Terminal terminal{.out = out, .err = err, .interactive = interactive, .width = width};
  RowPrinter printer(terminal, answers::Format::text);
  printer.header({"strategy", "title", "speedup"});
  printer.row({std::string("smem_tiling"), std::string(90, 'x'), 1.6315789473684212});
  printer.row({std::string("async_copy_pipeline_of_many_stages"), std::string("short"), 2.0});
  printer.finish();
  return out.str();
}

}  // namespace

TEST_CASE("a table fits the terminal: the widest text gives way, numbers do not") {
  std::string text = table(true, 60);
  for (std::string_view line : split(text, '\n')) CHECK(display_width(line) <= 60);
  CHECK(text.find("smem_tiling") != std::string::npos);
  CHECK(text.find("1.63158") != std::string::npos);
  CHECK(text.find("…") != std::string::npos);
}

TEST_CASE("a terminal that is too narrow for all columns goes without the least wanted, and says so") {
  std::ostringstream out, err;
  answers::Terminal terminal{.out = out, .err = err, .interactive = true, .width = 30};
  RowPrinter printer(terminal, answers::Format::text);
  printer.can_miss({"level"});
  printer.header({"id", "level", "strategy", "speedup", "notes"});
  printer.row({std::string("01a2056501a2"), std::string("claimed"), std::string("smem_tiling"), 1.5,
               std::string("a long note")});
  printer.finish();
  std::string text = out.str();
  for (std::string_view line : split(text, '\n')) CHECK(display_width(line) <= 30);
  CHECK(text.find("speedup") != std::string::npos);
  CHECK(text.find("claimed") == std::string::npos);
  CHECK(text.find("left out for want of room: le…\n") != std::string::npos);
}

TEST_CASE("what is typed again is shown whole, however narrow the terminal is; notes fit too") {
  std::ostringstream out, err;
  answers::Terminal terminal{.out = out, .err = err, .interactive = true, .width = 40};
  RowPrinter printer(terminal, answers::Format::text);
  printer.show_whole({"id"});
  printer.align_right({"faster"});
  printer.header({"id", "title", "faster"});
  printer.row({std::string("01a20830-40e3-7035"), std::string(50, 'x'), std::string("2.0x")});
  printer.note(std::string(60, 'y'));
  printer.row({std::string("02"), std::string("z"), std::string("12.5x")});
  printer.finish();
  CHECK(out.str() ==
        "id                  title         faster\n"
        "01a20830-40e3-7035  xxxxxxxxxxx…    2.0x\n"
        "  " +
            std::string(37, 'y') +
            "…\n"
            "02                  z              12.5x\n");
}

TEST_CASE("in a pipe a table keeps what it always had") {
  std::string text = table(false, 60);
  CHECK(text.find("async_copy_pipeline_of_many_stages") != std::string::npos);
  CHECK(text.find(std::string(59, 'x')) != std::string::npos);
  CHECK(text.find("1.63158") != std::string::npos);
  CHECK(text.find("1.6315789") == std::string::npos);
}
