#include "diagnose/picture.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

#include "base/text.h"

using namespace explog;
using diagnose::Picture;

namespace {

Picture softmax() {
  Picture picture;
  picture.title = "softmax_kernel on NVIDIA H200";
  picture.memory = {4.3e12, "measured"};
  picture.compute = {{"fp32", {6.1e13, "measured"}}};
  picture.points = {{"before", 0.9, 2.0e12}};
  return picture;
}

std::string ascii(const Picture& picture) { return text_picture(picture, 80, false); }
bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

struct Element {
  std::string name, text;  // the text up to the first child
  std::map<std::string, std::string> attributes;
  double number(const std::string& attribute) const { return std::stod(attributes.at(attribute)); }
};

void require(bool good, const std::string& fault) {
  if (!good) throw std::runtime_error(fault);
}

// Character data without bare < or &.
void check_data(std::string_view data) {
  for (std::size_t at = data.find('&'); at != data.npos; at = data.find('&', at + 1)) {
    std::string_view entity = data.substr(at, data.find(';', at) - at);
    require(entity == "&amp" || entity == "&lt" || entity == "&gt" || entity == "&quot" || entity == "&apos",
            "entity " + std::string(entity.substr(0, 20)));
  }
  require(data.find('<') == data.npos, "a bare <");
}

// `name key="value" ...` between the brackets of a start tag.
Element read_tag(std::string_view tag) {
  std::size_t end = std::min(tag.find(' '), tag.size());
  Element element{std::string(tag.substr(0, end)), "", {}};
  for (tag = trim(tag.substr(end)); !tag.empty(); tag = trim(tag)) {
    std::size_t quote = tag.find("=\""), close = tag.find('"', quote + 2);
    require(quote != tag.npos && close != tag.npos, "attributes of " + element.name);
    std::string value(tag.substr(quote + 2, close - quote - 2));
    check_data(value);
    require(element.attributes.emplace(tag.substr(0, quote), value).second, "an attribute twice");
    tag.remove_prefix(close + 1);
  }
  return element;
}

// All elements of a well-formed document, in its order; throws when it is not well-formed.
std::vector<Element> elements(const std::string& xml) {
  std::vector<Element> found;
  std::vector<std::string> open;
  require(valid_utf8(xml) && !has(xml, "\xEF\xBF\xBE") && !has(xml, "\xEF\xBF\xBF"), "no XML character");
  for (char c : xml) require(static_cast<unsigned char>(c) >= 0x20 || c == '\n', "control character");
  std::string_view rest = xml;
  require(rest.starts_with("<?xml "), "no declaration");
  for (rest.remove_prefix(rest.find("?>") + 2); !trim(rest).empty();) {
    std::size_t start = rest.find('<'), end = rest.find('>', start);
    require(end != rest.npos, "no tag");
    std::string_view text = rest.substr(0, start), tag = rest.substr(start + 1, end - start - 1);
    check_data(text);
    require(!open.empty() || trim(text).empty(), "text outside");
    if (!open.empty() && open.back() == found.back().name && found.back().text.empty())
      found.back().text = text;
    rest.remove_prefix(end + 1);
    if (tag.starts_with('/')) {
      require(!open.empty() && open.back() == tag.substr(1), "unbalanced " + std::string(tag));
      open.pop_back();
      continue;
    }
    require(!open.empty() || found.empty(), "a second root");
    bool empty = tag.ends_with('/');
    found.push_back(read_tag(tag.substr(0, tag.size() - (empty ? 1 : 0))));
    if (!empty) open.push_back(found.back().name);
  }
  require(open.empty(), "open: " + join(open, ", "));
  return found;
}

std::vector<Element> of_class(const std::string& svg, const std::string& name, const std::string& kind) {
  std::vector<Element> found = elements(svg);
  std::erase_if(found, [&](const Element& e) {
    auto it = e.attributes.find("class");
    return e.name != name || it == e.attributes.end() || it->second != kind;
  });
  return found;
}

Element only(const std::string& svg, const std::string& name, const std::string& kind) {
  auto found = of_class(svg, name, kind);
  REQUIRE(found.size() == 1);
  return found[0];
}

// Where an axis puts a value, by two of its ticks.
struct Scale {
  double log0, at0, log1, at1;
  double operator()(double value) const {
    return at0 + (std::log10(value) - log0) / (log1 - log0) * (at1 - at0);
  }
};

double tick(const std::string& svg, const std::string& axis, const std::string& label) {
  auto ticks = of_class(svg, "text", axis + " tick");
  auto it = std::find_if(ticks.begin(), ticks.end(), [&](const Element& e) { return e.text == label; });
  REQUIRE(it != ticks.end());
  return it->number(axis) - (axis == "y" ? 4 : 0);  // a y label's baseline is 4 below its tick
}
Scale x_scale(const std::string& svg) { return {-1, tick(svg, "x", "0.1"), 3, tick(svg, "x", "1000")}; }
Scale y_scale(const std::string& svg) { return {11, tick(svg, "y", "100 G"), 14, tick(svg, "y", "100 T")}; }

// Coordinates are printed with a tenth of a pixel.
bool near(double a, double b) { return std::abs(a - b) < 0.2; }

// Whether a letter neither before nor after makes it the word.
bool has_word(const std::string& text, const std::string& word) {
  auto letter = [&](std::size_t i) { return i < text.size() && text[i] >= 'a' && text[i] <= 'z'; };
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    if (!letter(at - 1) && !letter(at + word.size())) return true;
  }
  return false;
}

// What must hold for any picture.
void check_sound(const Picture& picture) {
  std::string svg = svg_picture(picture);
  CHECK_NOTHROW(elements(svg));
  CHECK(svg_picture(picture) == svg);
  for (bool unicode : {false, true}) {
    std::string text = text_picture(picture, 80, unicode);
    CHECK(valid_utf8(text));
    CHECK(printable(text, false) == text);
    auto is_ascii = [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); };
    CHECK((unicode || std::all_of(text.begin(), text.end(), is_ascii)));
  }
  for (const char* word : {"nan", "inf"}) {
    CHECK_FALSE(has_word(svg, word));
    CHECK_FALSE(has_word(ascii(picture), word));
  }
}

}  // namespace

TEST_CASE("the text picture of a softmax on an H200") {
  CHECK(ascii(softmax()) == &R"(
softmax_kernel on NVIDIA H200
FLOP/s
 100 T |
       |                              //+--------------------------- fp32
       |                          ////
       |                       ///
  10 T |                   ////
       |               ////
       |           ////
       |        ///   A
   1 T |    ////
       |////
       |
       |
 100 G |
       +---------------+--------------+-------------+--------------+
       0.1             1             10            100           1000 FLOP/byte
/  memory 4.30 TB/s (measured)
-  fp32 61.0 TFLOP/s (measured), ridge at 14.2 FLOP/byte
A  before  0.900 FLOP/byte, 2.00 TFLOP/s, 52% of the roof there
)"[1]);
}

TEST_CASE("the text picture keeps to its width") {
  for (int width : {-1, 40, 60, 100, 200, 5000}) {
    CAPTURE(width);
    Picture picture = softmax();
    picture.title = std::string(300, 'x');
    std::string text = text_picture(picture, width, true);
    auto lines = split(text, '\n');
    for (std::size_t i = 0; i < 17; ++i)
      CHECK(display_width(lines[i]) <= std::size_t(std::clamp(width, 40, 200)));
    CHECK(lines.size() == 1 + 16 + 3 + 1);  // title, picture, legend, after the last newline
    CHECK(lines[0].ends_with("xxx..."));
  }
}

TEST_CASE("of a long title the kernel's name gives way, not the machine") {
  auto title = [](const std::string& text) {
    Picture picture = softmax();
    picture.title = text;
    std::string shown = text_picture(picture, 60, false);
    return shown.substr(0, shown.find('\n'));
  };
  CHECK(title("gemm(const float *, const float *, float *, int, int) on NVIDIA H200") ==
        "gemm on NVIDIA H200");
  CHECK(title("gemm(float *, float *, int) on NVIDIA H200") == "gemm(float *, float *, int) on NVIDIA H200");
  CHECK(title("(anonymous namespace)::" + std::string(60, 'k') + " on sm_90") ==
        "(anonymous namespace)::" + std::string(25, 'k') + "... on sm_90");
}

TEST_CASE("the ridge, the roofs and the points are where the axes say") {
  Picture picture = softmax();
  picture.points.push_back({"after", 1.1, 4.0e12});
  std::string svg = svg_picture(picture);
  Scale x = x_scale(svg), y = y_scale(svg);
  Element ridge = only(svg, "circle", "ridge"), slope = only(svg, "line", "memory");
  CHECK(near(ridge.number("cx"), x(6.1e13 / 4.3e12)));
  CHECK(near(ridge.number("cy"), y(6.1e13)));
  CHECK(only(svg, "text", "ridge caption").text == "ridge at 14.2 FLOP/byte");
  CHECK(near(slope.number("x1"), x(0.1)));
  CHECK(near(slope.number("y1"), y(4.3e11)));
  CHECK(slope.attributes["x2"] == ridge.attributes["cx"]);
  CHECK(slope.attributes["y2"] == ridge.attributes["cy"]);
  Element level = only(svg, "line", "compute");
  CHECK(level.attributes["x1"] == ridge.attributes["cx"]);
  CHECK(near(level.number("x2"), x(1000)));
  for (const char* end : {"y1", "y2"}) CHECK(level.attributes[end] == ridge.attributes["cy"]);
  auto points = of_class(svg, "circle", "point");
  REQUIRE(points.size() == 2);
  CHECK(near(points[1].number("cx"), x(1.1)));
  CHECK(near(points[1].number("cy"), y(4.0e12)));
  Element arrow = only(svg, "line", "arrow");
  CHECK(arrow.attributes["x1"] == points[0].attributes["cx"]);
  CHECK(arrow.attributes["y1"] == points[0].attributes["cy"]);
  CHECK(arrow.number("y2") > points[1].number("cy"));  // the head is between
}

TEST_CASE("measured roofs are solid, the others dashed, each with its source") {
  Picture picture = softmax();
  picture.memory_nominal = diagnose::Peak{4.8e12, "data sheet"};
  picture.compute.emplace_back("tf32 tensor", diagnose::Peak{4.95e14, "largest card"});
  std::string svg = svg_picture(picture);
  auto dashed = [](const Element& e) { return e.attributes.contains("stroke-dasharray"); };
  CHECK_FALSE(dashed(only(svg, "line", "memory")));
  CHECK(dashed(only(svg, "line", "nominal memory")));
  auto levels = of_class(svg, "line", "compute");
  REQUIRE(levels.size() == 2);
  CHECK(dashed(levels[0]));
  CHECK_FALSE(dashed(levels[1]));
  for (const char* caption : {"memory 4.30 TB/s (measured)", "nominal 4.80 TB/s (data sheet)",
                              "fp32 61.0 TFLOP/s (measured)", "tf32 tensor 495 TFLOP/s (largest card)"}) {
    CAPTURE(caption);
    CHECK(has(svg, caption));
    CHECK(has(ascii(picture), caption));
  }
  CHECK(has(ascii(picture), "+- - - -"));
  // The share is of the highest roof: 20 FLOP/byte is right of fp32's ridge, left of tf32's.
  picture.points = {{"p", 20, 4.3e13}};
  CHECK(has(ascii(picture), "50% of the roof there"));
}

TEST_CASE("captions of roofs and labels of points keep apart") {
  Picture picture = softmax();
  for (const char* name : {"fp64", "half", "int8", "x", "y"})
    picture.compute.emplace_back(name, diagnose::Peak{6.1e13, "given"});
  picture.points = {
      {"before", 0.9, 2e12}, {"after", 0.95, 2.2e12}, {"other", 0.9, 1e12}, {"far", 6900, 1e12}};
  std::string svg = svg_picture(picture);
  auto captions = of_class(svg, "text", "compute caption");
  REQUIRE(captions.size() == 6);
  for (std::size_t i = 1; i < captions.size(); ++i)
    CHECK(captions[i].number("y") - captions[i - 1].number("y") >= 15);
  auto labels = of_class(svg, "text", "label");
  REQUIRE(labels.size() == 3);
  CHECK(labels[0].text == "A before, B after");
  CHECK(labels[1].number("y") - labels[0].number("y") >= 15);
  CHECK(labels[2].number("x") < of_class(svg, "circle", "point")[3].number("cx"));
}

TEST_CASE("hostile names do no harm") {
  std::string hostile =
      "k<T>&\"q\"'a' ]]> \x1b[31m\n\t\x01\x7f \xff\xC0\x80 \xE2\x80\xAE \xEF\xBF\xBE\xEF\xBF\xBF größe";
  for (const std::string& name : {hostile, std::string(5000, '<'), std::string(), std::string(3, '\0')}) {
    Picture picture{
        name, {4.3e12, name}, {{name, {6.1e13, name}}}, diagnose::Peak{5e12, name}, {{name, 1, 1e12}}};
    check_sound(picture);
    picture.points.push_back({name, 1, 1.01e12});
    check_sound(picture);
  }
  Picture picture = softmax();
  picture.title = hostile;
  CHECK(has(svg_picture(picture),
            "<title>k&lt;T&gt;&amp;&quot;q&quot;&apos;a&apos; ]]&gt; \\x1b[31m\\n\\t\\x01\\x7f "));
  CHECK(has(text_picture(picture, 120, true), "größe"));
  CHECK(has(text_picture(picture, 120, false), "gr??e"));
}

TEST_CASE("roofs that are not known are named as such") {
  Picture none{"nothing", {}, {}, {}, {}};
  check_sound(none);
  for (const char* note : {"the memory's bandwidth is not known", "no compute roof is known"}) {
    CHECK(has(ascii(none), note));
    CHECK(has(svg_picture(none), replace_all(note, "'", "&apos;")));
  }
  Picture no_compute = softmax();
  no_compute.compute.clear();
  check_sound(no_compute);
  CHECK(has(ascii(no_compute), "52% of the roof there"));
  CHECK(of_class(svg_picture(no_compute), "circle", "ridge").empty());
  Picture no_memory = softmax();
  no_memory.memory = {};
  check_sound(no_memory);
  CHECK(has(ascii(no_memory), "3.3% of the roof there"));
  CHECK(of_class(svg_picture(no_memory), "circle", "ridge").empty());
  no_memory.memory_nominal = diagnose::Peak{4.8e12, "data sheet"};  // then the slope is this one, dashed
  CHECK(has(ascii(no_memory), "/ /  nominal 4.80 TB/s (data sheet)"));
}

TEST_CASE("a kernel without arithmetic is at the left edge and has no share") {
  Picture picture = softmax();
  picture.points = {{"copy", 0, 0}};
  check_sound(picture);
  CHECK(has(ascii(picture), "A  copy  no arithmetic, drawn at the left edge\n"));
  CHECK(has(ascii(picture), "|A"));
  std::string svg = svg_picture(picture);
  CHECK(only(svg, "circle", "point").attributes["cx"] == only(svg, "line", "memory").attributes["x1"]);
}

TEST_CASE("points above the roof, at one place, at the ends of the world") {
  Picture picture = softmax();
  picture.points = {{"above", 1, 8e12}};
  CHECK(has(ascii(picture), "186% of the roof there\n"));
  CHECK(has(ascii(picture), "   above 100%: the peaks are not this machine's\n"));
  CHECK(has(svg_picture(picture), "above 100%: the peaks are not this machine&apos;s"));
  picture.points = {{"before", 0.9, 2e12}, {"after", 0.9, 2e12}};
  CHECK(has(ascii(picture), " AB"));
  CHECK_FALSE(has(ascii(picture), "above"));
  CHECK(has(svg_picture(picture), ">A before, B after</text>"));
  CHECK_FALSE(has(svg_picture(picture), "class=\"arrow\""));
  picture.points = {{"low", 1e-3, 1e9}, {"high", 1e6, 6e13}, {"x", 1e300, 1e300}, {"y", 1e-300, 1e-300}};
  check_sound(picture);
  CHECK(has(ascii(picture), "A  low  0.00100 FLOP/byte, 1.00 GFLOP/s, 23% of the roof there\n"));
  CHECK(has(ascii(picture), "B  high  1000000 FLOP/byte, 60.0 TFLOP/s, 98% of the roof there\n"));
  CHECK_FALSE(has(ascii(picture), "0.000.01"));  // figures of the axis that do not fit are left out
  picture.points = {{"low", 1e-3, 1e9}, {"high", 1e6, 6e13}, {"x", 1e300, 1e12}};
  CHECK(has(ascii(picture), "0.001     0.1  1   10  100 1000"));
  picture.points.assign(60, {"crowd", 1e6, 1e12});
  check_sound(picture);
}

TEST_CASE("what is no number is left out") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                   inf = std::numeric_limits<double>::infinity();
  for (double bad : {nan, inf, -inf, -1.0}) {
    CAPTURE(bad);
    Picture picture = softmax();
    picture.points = {{"bad", bad, 1e12}, {"worse", 1, bad}, {"good", 0.9, 2e12}};
    check_sound(picture);
    CHECK(has(ascii(picture), "A  good  "));
    CHECK_FALSE(has(ascii(picture), "bad"));
    check_sound(
        {"t", {bad, "measured"}, {{"fp32", {bad, "given"}}}, diagnose::Peak{bad, ""}, picture.points});
  }
}
