#include "report/page.h"

#include <fmt/format.h>

#include <iterator>

#include "base/embedded.h"
#include "base/hash.h"
#include "base/svg.h"
#include "base/text.h"

namespace explog::report {
namespace {

std::string_view class_of(Tone tone) {
  constexpr std::string_view names[] = {"", "good", "bad", "warn", "dim"};
  return names[static_cast<std::size_t>(tone)];
}

std::string_view part(std::string_view path) { return embedded_file(path).value_or(std::string_view()); }

// What a script or style sheet says, and its name in the policy.
struct Part {
  std::string_view text;
  std::string hash;
};
Part part_named(std::string_view path) {
  std::string_view text = part(path);
  return {text, "'sha256-" + sha256_base64(text) + "'"};
}
const Part& style() {
  static const Part known = part_named("src/report/page.css");
  return known;
}
const Part& zoom_style() {
  static const Part known = part_named("dygraphs/dygraph.min.css");
  return known;
}
const Part& script() {
  static const Part known = part_named("src/report/page.js");
  return known;
}
const Part& zoom_script() {
  static const Part known = part_named("dygraphs/dygraph.min.js");
  return known;
}

class Writer {
 public:
  explicit Writer(const std::string& up) : up_(up) {}
  std::string out;

  void operator()(const Words& words) {
    std::string_view tone = class_of(words.tone);
    add("<p{}>{}</p>\n", tone.empty() ? "" : fmt::format(" class=\"{}\"", tone), markup(words.text));
  }
  void operator()(const Facts& facts) {
    out += "<dl>\n";
    for (const auto& [name, cell] : facts.list) {
      add("<dt>{}</dt><dd>", markup(name));
      content(cell);
      out += "</dd>\n";
    }
    out += "</dl>\n";
  }
  void operator()(const Code& code) {
    out += "<pre tabindex=\"0\">";
    for (std::string_view line : split(code.text, '\n')) out += markup(line) + "\n";
    out += "</pre>\n";
  }
  void operator()(const Zoom& zoom) {
    add("<div id=\"zoom\"></div>\n<script type=\"application/json\" id=\"trends\">{}</script>\n",
        safe_json(zoom.json));
  }
  void operator()(const Figure& figure) {
    add("<figure><figcaption>{}</figcaption>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
        "aria-label=\"{}\">\n",
        markup(figure.caption), markup(figure.caption));
    out += figure.svg;
    out += "</div>\n<details><summary>the figures behind it</summary>\n";
    (*this)(figure.behind);
    out += "</details></figure>\n";
  }
  void operator()(const Table& table) {
    add("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"{0}\"><table "
        "class=\"sort\"><caption>{0}</caption>\n<thead><tr>",
        markup(table.caption));
    for (const Column& column : table.columns)
      add("<th scope=\"col\"{}>{}</th>", column.is_number ? " class=\"n\"" : "", markup(column.name));
    out += "</tr></thead>\n<tbody>\n";
    for (const Row& row : table.rows) add_row(table, row);
    out += "</tbody></table></div>\n";
  }

 private:
  template <class... Values>
  void add(fmt::format_string<Values...> form, Values&&... values) {
    fmt::format_to(std::back_inserter(out), form, std::forward<Values>(values)...);
  }

  void add_row(const Table& table, const Row& row) {
    out += row.anchor.empty() ? "<tr>" : "<tr id=\"" + markup(row.anchor) + "\">";
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const Cell& cell = row.cells[i];
      const Column column = i < table.columns.size() ? table.columns[i] : Column{};
      out += column.is_number ? "<td class=\"n\"" : column.is_whole ? "<td class=\"w\"" : "<td";
      if (cell.order) add(" data-o=\"{:.9g}\"", *cell.order);
      out += ">";
      content(cell);
      out += "</td>";
    }
    out += "</tr>\n";
  }

  void content(const Cell& cell) {
    std::string_view tone = class_of(cell.tone);
    if (!cell.link.empty()) {
      add("<a href=\"{}\"", markup((cell.link.starts_with('#') ? "" : up_) + cell.link));
      if (!tone.empty()) add(" class=\"{}\"", tone);
      out += ">" + markup(cell.text) + "</a>";
    } else if (!tone.empty()) {
      add("<span class=\"{}\">{}</span>", tone, markup(cell.text));
    } else {
      out += markup(cell.text);
    }
    out += cell.picture;
  }

  const std::string& up_;
};

bool has_zoom(const Page& page) {
  for (const Section& section : page.sections) {
    for (const Block& block : section.blocks) {
      if (std::holds_alternative<Zoom>(block)) return can_zoom();
    }
  }
  return false;
}

std::string head(const Page& page, bool zoom) {
  std::string scripts = script().hash, styles = style().hash;
  if (zoom) scripts += " " + zoom_script().hash, styles += " " + zoom_style().hash;
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
      "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src {}; "
      "script-src {}; base-uri 'none'; form-action 'none'\">\n<meta name=\"viewport\" "
      "content=\"width=device-width,initial-scale=1\">\n<meta name=\"generator\" "
      "content=\"explog\">\n<title>{}</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>",
      styles, scripts, markup(page.title));
  out += style().text;
  out += "</style>\n";
  if (zoom) out += "<style>" + std::string(zoom_style().text) + "</style>\n";
  return out + "</head>\n<body>\n<a class=\"skip\" href=\"#main\">to the content</a>\n";
}

}  // namespace

Cell linked(std::string text, std::string link, Tone tone) {
  Cell cell(std::move(text), tone);
  cell.link = std::move(link);
  return cell;
}

Cell ordered(double value, std::string text, std::string link, Tone tone) {
  Cell cell = linked(std::move(text), std::move(link), tone);
  cell.order = value;
  return cell;
}

bool can_zoom() { return !zoom_script().text.empty(); }

std::string safe_json(std::string json) { return replace_all(std::move(json), "<", "\\u003c"); }

std::string html(const Page& page) {
  bool zoom = has_zoom(page);
  std::string out = head(page, zoom);
  if (!page.links.empty()) {
    out += "<nav aria-label=\"site\">";
    for (const auto& [text, target] : page.links)
      out += "<a href=\"" + markup(page.up + target) + "\">" + markup(text) + "</a>";
    out += "</nav>\n";
  }
  out += "<main id=\"main\">\n<h1>" + markup(page.title) + "</h1>\n";
  Writer writer(page.up);
  if (!page.lead.empty()) writer(Words{page.lead});
  for (const Section& section : page.sections) {
    std::string id = "s-" + replace_all(lower(section.heading), " ", "-");  // "#s-what-paid"
    writer.out += "<section id=\"" + markup(id) + "\">\n<h2>" + markup(section.heading) + "</h2>\n";
    for (const Block& block : section.blocks) std::visit(writer, block);
    writer.out += "</section>\n";
  }
  out +=
      writer.out + "</main>\n<footer>explog " EXPLOG_VERSION ", as of " + markup(page.made) + "</footer>\n";
  if (zoom) out += "<script>" + std::string(zoom_script().text) + "</script>\n";
  return out + "<script>" + std::string(script().text) + "</script>\n</body>\n</html>\n";
}

}  // namespace explog::report
