// Pictures: SVG 1.1 from shapes and text. Colours are roles. A picture of a page names them by class, so that the
// page's style sheet can make it light or dark; a file of its own carries the light ones.
#pragma once
#include <string>
#include <string_view>

namespace explog {

// `text`, printable, as content or quoted attribute of HTML and XML; the one way in for text of others.
std::string markup(std::string_view text);

enum class Ink { none, text, dim, grid, paper, accent, good, bad, warn, second };

struct Stroke {
  Ink ink = Ink::text;
  double width = 1;
  std::string_view dash = {};  // "7 5"
};

inline constexpr Stroke no_edge{Ink::none};

struct Type {
  std::string_view anchor = "start";  // start, middle, end
  double size = 0;                    // 0: the picture's
  bool bold = false;
  Ink ink = Ink::none;  // none: the picture's
  double turn = 0;      // degrees around (x, y), or around the point of `around`
  double around_x = 0, around_y = 0;
  bool halo = false;  // an edge in the paper's colour: lines below do not cut through it
};

class Svg {
 public:
  enum class Look { page, file };
  // `title` is what a screen reader says, `description` what it says then; either may be a stranger's.
  Svg(Look look, int width, int height, std::string_view title, std::string_view description = {});

  // `kind` is the element's class in a file: what it stands for.
  void line(std::string_view kind, double x0, double y0, double x1, double y1, const Stroke& stroke);
  void text(std::string_view kind, double x, double y, std::string_view words, const Type& type = {});
  // With `tip` a pointer resting on it says more.
  void circle(std::string_view kind, double x, double y, double radius, Ink fill, const Stroke& edge,
              std::string_view tip = {});
  void rect(std::string_view kind, double x, double y, double width, double height, Ink fill,
            double opacity = 1, std::string_view tip = {});
  void path(std::string_view kind, std::string_view data, Ink fill, const Stroke& stroke, double opacity = 1);
  // Two texts in a line, the first in bold.
  void entry(std::string_view kind, double x, double y, std::string_view head, std::string_view words);

  std::string finish();

 private:
  std::string look_of(std::string_view kind, Ink fill, const Stroke& stroke) const;
  void close(std::string_view element, std::string_view tip);
  Look look_;
  std::string out_;
};

// The rules of a page's style sheet for the classes of its pictures are in report/page.css.
std::string_view ink_class(Ink ink);

}  // namespace explog
