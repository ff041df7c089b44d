#include "intake/ncu_number.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace explog;
using namespace explog::intake;

namespace {

std::optional<Decimal> decided(const std::vector<std::string>& numbers) {
  DecimalEvidence evidence;
  for (const std::string& number : numbers) evidence.look_at(number);
  return evidence.decide();
}

std::optional<double> point(std::string_view text, std::string_view unit = "") {
  auto number = read_number(text, unit, Decimal::point);
  return number ? std::optional(number->value) : std::nullopt;
}

std::optional<double> comma(std::string_view text, std::string_view unit = "") {
  auto number = read_number(text, unit, Decimal::comma);
  return number ? std::optional(number->value) : std::nullopt;
}

}  // namespace

TEST_CASE("the decimal sign of a file is told by its numbers") {
  CHECK(decided({"91.98"}) == Decimal::point);
  CHECK(decided({"2528968.000000"}) == Decimal::point);
  CHECK(decided({"4,963,609,951.19"}) == Decimal::point);
  CHECK(decided({"1,710,000"}) == Decimal::point);  // two separators are groups
  CHECK(decided({"65,77"}) == Decimal::comma);
  CHECK(decided({"27.595.520"}) == Decimal::comma);
  CHECK(decided({"1.234,50"}) == Decimal::comma);
  CHECK(decided({"0,123"}) == Decimal::comma);  // no group begins with 0
  CHECK(decided({"1234,567"}) == Decimal::comma);
  CHECK(decided({"0.1007"}) == Decimal::point);
  CHECK(decided({}) == Decimal::point);
  CHECK(decided({"42", "no data", "CachePreferNone", "(256, 1, 1)"}) == Decimal::point);
}

TEST_CASE("three digits behind one separator depend on the rest of the file") {
  CHECK(decided({"31,744"}) == Decimal::point);
  CHECK(decided({"31,744", "65,77"}) == Decimal::comma);
  CHECK_FALSE(decided({"1.381"}));
  CHECK(decided({"1.381", "14.38"}) == Decimal::point);
  CHECK(decided({"1.381", "14,38"}) == Decimal::comma);
  CHECK(decided({"1.381", "31,744"}) == Decimal::point);
  CHECK_FALSE(decided({"1.381", "-2.500"}));
}

TEST_CASE("a file that contradicts itself is undecided, with its examples") {
  DecimalEvidence both;
  both.look_at("91.98");
  both.look_at("65,77");
  CHECK_FALSE(both.decide());
  CHECK(both.why() == "some numbers have a decimal point (91.98), others a decimal comma (65,77)");
  DecimalEvidence unclear;
  unclear.look_at("1.234");
  CHECK_FALSE(unclear.decide());
  CHECK(unclear.why() == "its decimal sign cannot be told: 1.234 may be 1234 or a fraction");
}

TEST_CASE("words, and the instances behind a number, are no evidence") {
  CHECK(decided({"12 (3.5; 4.5)", "65,77"}) == Decimal::comma);
  CHECK(decided({"v1.2", "sm_9,5", "1.2.3.4", "(40, 1, 1)", "a.b"}) != Decimal::comma);
  CHECK(decided({"python3.12", "65,77"}) == Decimal::comma);
  CHECK(decided({"2025.3.1", "65,77"}) == Decimal::comma);  // a version is no number either way
}

TEST_CASE("numbers are read with the file's decimal sign") {
  CHECK(point("4,963,609,951.19") == 4963609951.19);
  CHECK(point("1,234") == 1234);
  CHECK(point("-1,234.50") == -1234.5);
  CHECK(point("+7") == 7);
  CHECK(point("2528968.000000") == 2528968);
  CHECK(point("1e6") == 1e6);
  CHECK(point("-1.5E-3") == -1.5e-3);
  CHECK(point("  42 ") == 42);
  CHECK(comma("65,77") == 65.77);
  CHECK(comma("27.595.520") == 27595520);
  CHECK(comma("1.234,50") == 1234.5);
  CHECK(comma("1.234") == 1234);
  CHECK(comma("160") == 160);
}

TEST_CASE("groups that are none make no number") {
  for (const char* text :
       {"1,23", "12,34,567", "1234,567", ",123", "1,,234", "0,123", "1,234,", "1,2345.0"}) {
    CAPTURE(text);
    CHECK_FALSE(point(text));
  }
  for (const char* text : {"1.23", "1.2.3,4", "27.595.52", "1,2,3"}) {
    CAPTURE(text);
    CHECK_FALSE(comma(text));
  }
}

TEST_CASE("words and missing values are no numbers") {
  for (const char* text : {"", " ", "n/a", "N/A", "(!) n/a", "no data", "nan", "-nan", "inf", "-inf", "+Inf",
                           "NaN", "-nan(ind)"}) {
    CAPTURE(text);
    CHECK(is_missing(text));
    CHECK_FALSE(point(text));
  }
  for (const char* text : {"SIMT", "No-CC", "all", "0", "CachePreferNone", "nano", "information"}) {
    CAPTURE(text);
    CHECK_FALSE(is_missing(text));
  }
  for (const char* text :
       {"SIMT", "-", ".", "e", "+-", "1 2", "0x10", "1e999", "12abc", "--1", "1-2", "1.2.3"}) {
    CAPTURE(text);
    CHECK_FALSE(point(text));
  }
}

TEST_CASE("instances behind a value are left out") {
  CHECK(point("12 (3; 4)") == 12);
  CHECK(point("1,234.50 (1: 2; 2: 3)", "Kbyte") == 1234500);
  CHECK_FALSE(point("(3; 4)"));
}

TEST_CASE("units, old and new, come to base units") {
  struct Row {
    const char *text, *unit;
    double value;
    const char* base;
  };
  for (const Row& row : std::initializer_list<Row>{
           {"297.504", "us", 297504, "ns"},
           {"297.504", "usecond", 297504, "ns"},
           {"1.5", "ms", 1.5e6, "ns"},
           {"1.5", "msecond", 1.5e6, "ns"},
           {"1.5", "s", 1.5e9, "ns"},
           {"1.5", "second", 1.5e9, "ns"},
           {"31,744", "ns", 31744, "ns"},
           {"31,744", "nsecond", 31744, "ns"},
           {"1.024000", "Kbyte", 1024, "byte"},  // a thousand, not 1024
           {"983.040000", "Kbyte", 983040, "byte"},
           {"2.5", "Mbyte", 2.5e6, "byte"},
           {"2.5", "Gbyte", 2.5e9, "byte"},
           {"2.5", "Tbyte", 2.5e12, "byte"},
           {"1.92", "Ghz", 1.92e9, "hz"},
           {"5", "Mhz", 5e6, "hz"},
           {"5", "Khz", 5e3, "hz"},
           {"1.92", "cycle/nsecond", 1.92e9, "hz"},
           {"1.92", "cycle/ns", 1.92e9, "hz"},
           {"1.92", "cycle/usecond", 1.92e6, "hz"},
           {"7", "cycle/second", 7, "hz"},
           {"676.7", "Gbyte/second", 676.7e9, "byte/s"},
           {"676.7", "Gbyte/s", 676.7e9, "byte/s"},
           {"3", "byte/s", 3, "byte/s"},
           {"3", "byte/ns", 3e9, "byte/s"},
           {"4", "sector/us", 4e6, "sector/s"},
           {"4", "sector/ns", 4e9, "sector/s"},
           {"1.02", "Kbyte/block", 1020, "byte/block"},
           {"16.5", "Kbyte/cycle", 16500, "byte/cycle"},
           // As ncu 2025 scales: 1591 %/byte is "1.591000" of "%/Kbyte" in the other page of the same
           // profile.
           {"1.591000", "%/Kbyte", 1591, "%/byte"},
           {"40", "register/thread", 40, "register/thread"},
           {"91.98", "%", 91.98, "%"},
           {"8", "pass", 8, "pass"},
           {"8", "", 8, ""},
           {"8", " Kbyte ", 8000, "byte"},
           {"8", "kbyte", 8, "kbyte"},  // nothing that Nsight Compute writes
       }) {
    CAPTURE(row.text);
    CAPTURE(row.unit);
    auto number = read_number(row.text, row.unit, Decimal::point);
    REQUIRE(number);
    CHECK(number->value == row.value);
    CHECK(number->unit == row.base);
  }
}

TEST_CASE("scaling gives the double nearest to what is written") {
  CHECK(point("0.1", "us") == 100);
  CHECK(point("1.1", "Gbyte") == 1100000000);
  CHECK(point("4.35", "Kbyte") == 4350);  // 4.35 * 1000 in doubles is 4349.999...
  CHECK(point("161.264149", "Gbyte/s") == 161264149000);
  CHECK(comma("1,562752", "ms") == 1562752);
}

TEST_CASE("no number is beyond a double, also after scaling") {
  CHECK_FALSE(point("1e308", "Gbyte"));
  CHECK_FALSE(point("-1e300", "Tbyte/ns"));
  CHECK(point("1e290", "Gbyte") == doctest::Approx(1e299));
}
