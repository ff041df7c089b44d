#include "base/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "base/text.h"

namespace explog {
namespace {

struct Named {
  std::string_view name, light;
};
constexpr auto inks = std::to_array<Named>({{"no", "none"},
                                            {"tx", "#222"},
                                            {"di", "#667"},
                                            {"gr", "#ddd"},
                                            {"pa", "#fff"},
                                            {"ac", "#1b4f91"},
                                            {"go", "#1a7f37"},
                                            {"ba", "#b3261e"},
                                            {"wa", "#8a5a00"},
                                            {"se", "#7a2e0e"}});

const Named& named(Ink ink) { return inks[static_cast<std::size_t>(ink)]; }

// Coordinates without a needless ".0".
std::string px(double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

void add_escaped(std::string& out, char c) {
  switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    case '\'':
      out += "&apos;";
      break;
    default:
      out += c;
  }
}

// Most text is: letters, digits and spaces that mean themselves.
bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return c >= ' ' && c <= '~' && c != '&' && c != '<' && c != '>' && c != '"' && c != '\'';
  });
}

}  // namespace

// XML 1.0 has no way to write U+FFFE and U+FFFF.
std::string markup(std::string_view text) {
  if (is_plain(text)) return std::string(text);
  std::string out, shown = printable(text);
  out.reserve(shown.size() + 8);
  for (char c : shown) add_escaped(out, c);
  if (out.find("\xEF\xBF") == std::string::npos) return out;
  return replace_all(replace_all(std::move(out), "\xEF\xBF\xBE", "\\u{fffe}"), "\xEF\xBF\xBF", "\\u{ffff}");
}

std::string_view ink_class(Ink ink) { return named(ink).name; }

Svg::Svg(Look look, int width, int height, std::string_view title, std::string_view description)
    : look_(look) {
  if (look == Look::file) {
    out_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    fmt::format_to(std::back_inserter(out_),
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"{0}\" height=\"{1}\" "
                   "viewBox=\"0 0 {0} {1}\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" "
                   "font-size=\"12\" fill=\"#222\">\n<title>{2}</title>\n",
                   width, height, markup(title));
  } else {
    fmt::format_to(std::back_inserter(out_),
                   "<svg role=\"img\" viewBox=\"0 0 {} {}\" aria-label=\"{}\">\n<title>{}</title>\n", width,
                   height, markup(title), markup(title));
  }
  if (!description.empty()) out_ += "<desc>" + markup(description) + "</desc>\n";
  if (look == Look::file)
    fmt::format_to(std::back_inserter(out_), "<rect width=\"{}\" height=\"{}\" fill=\"#fff\"/>\n", width,
                   height);
}

// In a page a class a role, in a file the kind and the colours themselves.
std::string Svg::look_of(std::string_view kind, Ink fill, const Stroke& stroke) const {
  std::string out;
  if (look_ == Look::page) {
    out = fmt::format("class=\"f-{} s-{}\"", named(fill).name, named(stroke.ink).name);
  } else {
    out = fmt::format("class=\"{}\" fill=\"{}\"", kind, named(fill).light);
    if (stroke.ink != Ink::none) out += fmt::format(" stroke=\"{}\"", named(stroke.ink).light);
  }
  if (stroke.ink != Ink::none && stroke.width != 1)
    out += fmt::format(" stroke-width=\"{:g}\"", stroke.width);
  if (!stroke.dash.empty()) out += fmt::format(" stroke-dasharray=\"{}\"", stroke.dash);
  return out;
}

void Svg::close(std::string_view element, std::string_view tip) {
  if (tip.empty()) {
    out_ += "/>\n";
  } else {
    fmt::format_to(std::back_inserter(out_), "><title>{}</title></{}>\n", markup(tip), element);
  }
}

void Svg::line(std::string_view kind, double x0, double y0, double x1, double y1, const Stroke& stroke) {
  fmt::format_to(std::back_inserter(out_), "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" {}/>\n", px(x0),
                 px(y0), px(x1), px(y1), look_of(kind, Ink::none, stroke));
}

// SVG 1.1 always draws the edge of text last, hence a text with an edge is written twice.
void Svg::text(std::string_view kind, double x, double y, std::string_view words, const Type& type) {
  std::string common = fmt::format("x=\"{}\" y=\"{}\"", px(x), px(y));
  if (type.anchor != "start") common += fmt::format(" text-anchor=\"{}\"", type.anchor);
  if (type.size > 0) common += fmt::format(" font-size=\"{:g}\"", type.size);
  if (type.bold) common += " font-weight=\"bold\"";
  if (type.turn != 0) {
    bool own = type.around_x != 0 || type.around_y != 0;
    common += fmt::format(" transform=\"rotate({:.2f} {} {})\"", type.turn, px(own ? type.around_x : x),
                          px(own ? type.around_y : y));
  }
  std::string shown = markup(words);
  if (type.halo) {
    Stroke edge{Ink::paper, 4};
    fmt::format_to(std::back_inserter(out_), "<text {} {} stroke-linejoin=\"round\"{}>{}</text>\n", common,
                   look_of("halo", Ink::paper, edge), look_ == Look::page ? " aria-hidden=\"true\"" : "",
                   shown);
  }
  Ink ink = type.ink == Ink::none ? Ink::text : type.ink;
  fmt::format_to(std::back_inserter(out_), "<text {} {}>{}</text>\n", common,
                 look_of(kind, ink, Stroke{Ink::none}), shown);
}

void Svg::circle(std::string_view kind, double x, double y, double radius, Ink fill, const Stroke& edge,
                 std::string_view tip) {
  fmt::format_to(std::back_inserter(out_), "<circle cx=\"{}\" cy=\"{}\" r=\"{:g}\" {}", px(x), px(y), radius,
                 look_of(kind, fill, edge));
  close("circle", tip);
}

void Svg::rect(std::string_view kind, double x, double y, double width, double height, Ink fill,
               double opacity, std::string_view tip) {
  fmt::format_to(std::back_inserter(out_), "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}", px(x),
                 px(y), px(width), px(height), look_of(kind, fill, Stroke{Ink::none}));
  if (opacity < 1) fmt::format_to(std::back_inserter(out_), " fill-opacity=\"{:.2f}\"", opacity);
  close("rect", tip);
}

void Svg::path(std::string_view kind, std::string_view data, Ink fill, const Stroke& stroke, double opacity) {
  fmt::format_to(std::back_inserter(out_), "<path d=\"{}\" {}", data, look_of(kind, fill, stroke));
  if (opacity < 1) fmt::format_to(std::back_inserter(out_), " fill-opacity=\"{:.2f}\"", opacity);
  out_ += "/>\n";
}

void Svg::entry(std::string_view kind, double x, double y, std::string_view head, std::string_view words) {
  fmt::format_to(std::back_inserter(out_), "<text x=\"{}\" y=\"{}\" {}>", px(x), px(y),
                 look_of(kind, Ink::text, Stroke{Ink::none}));
  if (!head.empty())
    fmt::format_to(std::back_inserter(out_), "<tspan font-weight=\"bold\">{}:</tspan> ", markup(head));
  out_ += markup(words) + "</text>\n";
}

std::string Svg::finish() { return std::move(out_) + "</svg>\n"; }

}  // namespace explog
