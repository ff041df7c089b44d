#include "base/csv.h"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

using namespace explog;

namespace {

using Rows = std::vector<std::vector<std::string>>;

// Every record; what is none is skipped line by line.
Rows rows_of(std::string_view text) {
  CsvReader reader(text);
  Rows rows;
  std::vector<std::string_view> fields;
  while (!reader.at_end()) {
    if (reader.read(fields)) {
      rows.emplace_back(fields.begin(), fields.end());
    } else {
      reader.skip_line();
    }
  }
  return rows;
}

}  // namespace

TEST_CASE("fields are parted at commas, records at line ends") {
  CHECK(rows_of("a,b\nc,d\n") == Rows{{"a", "b"}, {"c", "d"}});
  CHECK(rows_of("a,b") == Rows{{"a", "b"}});
  CHECK(rows_of(",a,,\n") == Rows{{"", "a", "", ""}});
  CHECK(rows_of("\n\na\n") == Rows{{""}, {""}, {"a"}});
  CHECK(rows_of(" a , b \n") == Rows{{" a ", " b "}});
  CHECK(rows_of("").empty());
}

TEST_CASE("quoted fields keep commas, line ends and doubled quotes") {
  CHECK(rows_of("\"a,b\",\"c\nd\",\"e\"\"f\"\"\"\n\"\",x\n") == Rows{{"a,b", "c\nd", "e\"f\""}, {"", "x"}});
  CHECK(rows_of("\"\"\"\"\n") == Rows{{"\""}});
  CHECK(rows_of("a\"b,c\n") == Rows{{"a\"b", "c"}});  // a quote inside a plain field is text
  CHECK(rows_of("\"a\"") == Rows{{"a"}});
}

TEST_CASE("a byte order mark and CRLF are no part of a field") {
  CHECK(rows_of("\xEF\xBB\xBF\"ID\",x\r\n1,2\r\n") == Rows{{"ID", "x"}, {"1", "2"}});
  CHECK(rows_of("a,\"b\"\r\n") == Rows{{"a", "b"}});
  CHECK(rows_of("\"a\r\nb\"\r\n") == Rows{{"a\r\nb"}});
  CHECK(rows_of("a\r") == Rows{{"a"}});
  CHECK(rows_of("\xEF\xBB\xBF").empty());
}

TEST_CASE("what is no record is refused and nothing of it consumed") {
  for (std::string text : {"\"a\" b,c\nd\n", "\"a\n", "x,\"a\n", "a\rb\nd\n"}) {
    CAPTURE(text);
    CsvReader reader(text);
    std::vector<std::string_view> fields;
    std::string before(reader.peek_line());
    CHECK_FALSE(reader.read(fields));
    CHECK(reader.peek_line() == before);
    CHECK(reader.line() == 1);
  }
  CHECK(rows_of("\"a\" b,c\nd,e\n") == Rows{{"d", "e"}});
  CHECK(rows_of("\"open\nd,e\n") == Rows{{"d", "e"}});
}

TEST_CASE("an unclosed quote is given up after 4 MiB") {
  std::string inside(4 << 20, 'x');
  CHECK(rows_of("\"" + inside + "\"\n1\n") == Rows{{"1"}});
  inside.resize(inside.size() - 2);
  CHECK(rows_of("\"" + inside + "\"\n1\n") == Rows{{inside}, {"1"}});
}

TEST_CASE("a line of more than 65536 fields is no record") {
  std::string commas(65535, ',');
  CHECK(rows_of(commas + "\n")[0].size() == 65536);
  CHECK(rows_of(commas + ",\n").empty());
}

TEST_CASE("lines are counted also through quotes") {
  CsvReader reader("# noise\n\"a\nb\nc\",1\n\nlast");
  std::vector<std::string_view> fields;
  CHECK(reader.peek_line() == "# noise");
  reader.skip_line();
  CHECK(reader.line() == 2);
  REQUIRE(reader.read(fields));
  CHECK(fields[0] == "a\nb\nc");
  CHECK(reader.line() == 5);
  REQUIRE(reader.read(fields));
  CHECK(reader.line() == 6);
  CHECK(reader.peek_line() == "last");
  reader.skip_line();
  CHECK(reader.at_end());
  CHECK(reader.peek_line().empty());
}

TEST_CASE("peeked lines have no end of line") {
  CsvReader reader("a,b\r\nc");
  CHECK(reader.peek_line() == "a,b");
  reader.skip_line();
  CHECK(reader.peek_line() == "c");
}

TEST_CASE("whatever is written by the rules reads back") {
  std::mt19937 random(7);
  std::string alphabet = "a,\"\n\r;7";
  for (int round = 0; round < 500; ++round) {
    Rows rows(1 + random() % 3);
    std::string text;
    for (auto& row : rows) {
      row.resize(1 + random() % 4);
      for (std::string& field : row) {
        for (auto length = random() % 6; length > 0; --length) field += alphabet[random() % alphabet.size()];
        text += &field == row.data() ? "\"" : ",\"";
        for (char c : field) text += c == '"' ? "\"\"" : std::string(1, c);
        text += '"';
      }
      text += random() % 2 ? "\r\n" : "\n";
    }
    CAPTURE(text);
    CHECK(rows_of(text) == rows);
  }
}
