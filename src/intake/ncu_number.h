// Numbers and units as Nsight Compute prints them.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace explog::intake {

// How a file writes 1234.5: "1,234.50" or "1.234,50".
enum class Decimal { point, comma };

// Gathers what the numbers of a file tell about its decimal sign. Three digits behind a single separator
// could be either ("1,234").
class DecimalEvidence {
 public:
  void look_at(std::string_view text);
  // Nothing when the file contradicts itself or a point with three digits is all there is; why() says which.
  // A comma with three digits alone is a grouped integer: the profiler prints two or six decimals, never
  // three.
  std::optional<Decimal> decide() const;
  std::string why() const;

 private:
  void note(std::string& example, std::string_view text) {
    if (example.empty()) example = text;
  }
  std::string point_, comma_, grouped_, unclear_;  // the first example of each
};

// A number in base units, and the unit it then has.
struct NcuNumber {
  double value = 0;
  std::string unit;
};

// "1,234.50" of unit "Kbyte" -> 1234500 byte. Nothing for "n/a", "no data", "nan", "" and for words. Base
// units: ns, byte, hz (also for cycles per time), byte/s, %; other units keep their name. Instances behind
// the value, "12 (3; 4)", are left out.
std::optional<NcuNumber> read_number(std::string_view text, std::string_view unit, Decimal decimal);
// Whether the text stands for a value that is not there.
bool is_missing(std::string_view text);

}  // namespace explog::intake
