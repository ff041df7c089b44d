// One HTML file from headings, tables and pictures. All text may be a stranger's: it is escaped here and nowhere else,
// and a policy in the page lets no script run but ours.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace explog::report {

enum class Tone { plain, good, bad, warn, dim };

struct Cell {
  Cell(std::string words = {}, Tone how = Tone::plain) : text(std::move(words)), tone(how) {}
  std::string text;
  Tone tone;
  std::string link = {};          // of the site, or "#r-..." in this page
  std::optional<double> order{};  // what a sorted column goes by, where that is not the text
  std::string picture = {};       // SVG of report/charts.h
};
Cell linked(std::string text, std::string link, Tone tone = Tone::plain);
// Sorted by `value`, where the text does not begin with the number that it is sorted by.
Cell ordered(double value, std::string text, std::string link = {}, Tone tone = Tone::plain);

struct Column {
  std::string name;
  bool is_number = false;
  bool is_whole = false;  // its cells are never broken into lines
};
struct Row {
  std::vector<Cell> cells;
  std::string anchor = {};  // "r-01a2018b"
};
struct Table {
  std::string caption;
  std::vector<Column> columns;
  std::vector<Row> rows;
};

// A picture, its words, and behind it the figures that it shows.
struct Figure {
  std::string caption, svg;
  Table behind;
};
struct Words {
  std::string text;
  Tone tone = Tone::plain;
};
struct Facts {
  std::vector<std::pair<std::string, Cell>> list;
};
struct Code {
  std::string text;
};
// Series for the zoom page, as JSON.
struct Zoom {
  std::string json;
};
using Block = std::variant<Words, Facts, Table, Figure, Code, Zoom>;

struct Section {
  std::string heading;
  std::vector<Block> blocks;
};

struct Page {
  std::string title, lead;
  std::string up;                                          // "../" of a page in a folder of a site
  std::vector<std::pair<std::string, std::string>> links;  // of the site, at the top: text, target
  std::vector<Section> sections;
  std::string made;  // "2026-01-02 03:04:05 UTC", of the newest record
};

std::string html(const Page& page);
// Whether this build has dygraphs, without which Zoom shows nothing.
bool can_zoom();

// JSON that may stand in a page: "<" as an escape.
std::string safe_json(std::string json);

}  // namespace explog::report
