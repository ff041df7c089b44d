// The README's tour, run as it is printed, and the examples of schema/formats.
#include <doctest/doctest.h>
#include <re2/re2.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/text.h"
#include "harness/generate.h"
#include "launch/work_plan.h"
#include "model/experience.h"
#include "model/strategy.h"
#include "model/tuning_space.h"
#include "scratch.h"
#include "sync/segment_file.h"
#include "transcript.h"

using namespace explog;

namespace {

const std::string checkout = EXPLOG_SOURCE_DIR;

using Lines = std::vector<std::string>;

std::string without_trailing_blanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

// What stands between the bars of a frame, or the line itself.
std::string unframed(std::string line) {
  constexpr std::string_view left = "│ ", right = " │";
  if (!line.starts_with(left) || !line.ends_with(right)) return line;
  line.erase(0, left.size());
  line.erase(line.size() - right.size());
  return without_trailing_blanks(line);
}

struct Command {
  std::string line;
  Lines output;
  bool framed = false;
};

// The commands in a page's indented blocks, each with the output printed below it; `# ` begins a remark.
std::vector<Command> commands_in(const std::string& page) {
  std::vector<Command> commands;
  bool inside = false;
  for (std::string_view text : split(page, '\n')) {
    bool blank = trim(text).empty();
    if (!blank && !text.starts_with("    ")) inside = false;
    if (blank && !inside) continue;
    std::string raw(text.substr(std::min<size_t>(4, text.size()))), line = unframed(raw);
    if (line.starts_with("$ explog ")) {
      commands.push_back({line.substr(2), {}, line != raw});
      inside = true;
    } else if (inside && !raw.starts_with("└") && !line.starts_with("# ")) {
      commands.back().output.push_back(line);
    }
  }
  for (Command& c : commands) {
    while (!c.output.empty() && c.output.back().empty()) c.output.pop_back();
  }
  return commands;
}

// Ids and dates are the reader's own.
std::string comparable(std::string line) {
  static const RE2 id("[0-9a-f]{8}-[0-9a-f]{4}-[78][0-9a-f]{3}(-[89ab][0-9a-f]{3}-[0-9a-f]{12})?");
  static const RE2 named("<(id|ID)[0-9]+>"), date("20[0-9]{2}-[0-9]{2}-[0-9]{2}");
  RE2::GlobalReplace(&line, id, "<id>");
  RE2::GlobalReplace(&line, named, "<id>");
  RE2::GlobalReplace(&line, date, "<date>");
  return line;
}

bool same_line(const std::string& printed, const std::string& got) {
  constexpr std::string_view cut = " ...";
  if (printed.ends_with(cut)) return got.starts_with(printed.substr(0, printed.size() - cut.size()));
  return printed == got;
}

// Whether `got` is what the page prints; a line `...` of the page stands for any number of lines.
bool same_lines(const Lines& printed, size_t i, const Lines& got, size_t j) {
  if (i == printed.size()) return j == got.size();
  if (trim(printed[i]) != "...")
    return j < got.size() && same_line(printed[i], got[j]) && same_lines(printed, i + 1, got, j + 1);
  for (size_t next = j; next <= got.size(); ++next) {
    if (same_lines(printed, i + 1, got, next)) return true;
  }
  return false;
}

Lines comparable_lines(const std::string& text) {
  Lines lines;
  for (std::string_view line : split(text, '\n')) lines.push_back(comparable(std::string(line)));
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

std::string page(const std::string& name) { return read_file(checkout + "/schema/formats/" + name); }

// The `number`-th fenced block of a page, from 0, without its fences.
std::string block(const std::string& text, const std::string& language, int number = 0) {
  size_t at = 0;
  for (int i = 0; i <= number; ++i) {
    at = text.find("```" + language + "\n", at);
    REQUIRE(at != std::string::npos);
    at += language.size() + 4;
  }
  return text.substr(at, text.find("```", at) - at);
}

void put_text(const std::string& path, const std::string& text) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

// Runs command lines in the checkout with a database of its own.
class Shell {
 public:
  Shell() : session_(scratch_ / "") {
    std::filesystem::current_path(checkout);
    setenv("EXPLOG_DB", (scratch_ / "tour.db").c_str(), 1);
  }
  ~Shell() { std::filesystem::current_path(before_); }
  Shell(const Shell&) = delete;
  Shell& operator=(const Shell&) = delete;
  std::string run(const std::string& line) { return session_.run(line, ""); }
  std::string operator/(const std::string& name) const { return scratch_ / name; }

 private:
  std::filesystem::path before_ = std::filesystem::current_path();
  Scratch scratch_;
  transcript::Session session_;
};

}  // namespace

TEST_CASE("the README's tour prints what it says") {
  std::vector<Command> tour = commands_in(read_file(checkout + "/README.md"));
  REQUIRE(tour.size() >= 5);
  CHECK(tour.front().framed);  // the picture: a first question on a fresh machine
  setenv("EXPLOG_SHIPPED", "on", 1);
  Shell shell;
  for (const Command& command : tour) {
    Lines printed;
    for (const std::string& line : command.output) printed.push_back(comparable(line));
    std::string got = shell.run(command.line);
    CHECK_MESSAGE(same_lines(printed, 0, comparable_lines(got), 0), command.line, " prints\n", got);
  }
  setenv("EXPLOG_SHIPPED", "off", 1);
}

TEST_CASE("a page's output is compared line by line, with places left out") {
  auto fits = [](const char* printed, const char* got) {
    return same_lines(comparable_lines(printed), 0, comparable_lines(got), 0);
  };
  CHECK(fits("a\n...\nd", "a\nb\nc\nd"));
  CHECK(fits("a\n...", "a"));
  CHECK(fits("at 2026-01-02 ...", "at 2025-03-04 and more"));
  CHECK_FALSE(fits("a\n...\nd", "a\nb\nc"));
  CHECK_FALSE(fits("a", "a\nb"));
  CHECK_FALSE(fits("a\nb", "a"));
  CHECK_FALSE(fits("KEEP", "KEEP "));
}

TEST_CASE("event.md: the example is what import stores, under that id") {
  std::string text = page("event.md"), body = std::string(trim(block(text, "json")));
  CHECK(to_json(parse_experience(body)) == body);
  CHECK(text.find(std::to_string(body.size()) + " bytes") != std::string::npos);
  size_t at = text.find("{\"kernel_type\":\"softmax\"");
  Shell shell;
  put_text(shell / "r.jsonl", text.substr(at, text.find('\n', at) - at) + "\n");
  shell.run("explog import " + (shell / "r.jsonl"));
  std::string stored =
      shell.run("explog query --sql \"SELECT id || ' ' || body AS line FROM experience\" --json");
  CHECK(stored.find("db89f58e-298b-8ed3-896b-734fe1bc191d") != std::string::npos);
  CHECK(text.find("db89f58e-298b-8ed3-896b-734fe1bc191d") != std::string::npos);
}

TEST_CASE("segment.md: the example verifies, and its seed signs it again") {
  std::string text = page("segment.md"), lines = block(text, "text");
  auto parsed = sync::parse_lines(lines);
  REQUIRE(std::holds_alternative<std::vector<Segment>>(parsed));
  auto& segments = std::get<std::vector<Segment>>(parsed);
  REQUIRE(segments.size() == 1);
  CHECK(fault_of(segments[0]).value_or("") == "");
  Segment again = segments[0];
  size_t row = text.find("| seed of this");
  auto seed = array_of<32>(from_hex(text.substr(text.find('`', row) + 1, 64)).value_or(""));
  REQUIRE(seed);
  sign_segment(again, *seed);
  CHECK(again.signature == segments[0].signature);
  CHECK(again.key == segments[0].key);
  auto first = chain_step(again.origin, 1, "", again.events[0]);
  CHECK(text.find("`" + hex(first) + "`") != std::string::npos);
  std::string written;
  sync::append_lines(written, segments[0]);
  CHECK(written == lines);
}

TEST_CASE("work_plan.md: the example is a plan of two items") {
  auto wishes = launch::parse_wishes(block(page("work_plan.md"), "json"), launch::ItemKind::campaign);
  REQUIRE(wishes.size() == 2);
  CHECK(wishes[0].kind == launch::ItemKind::campaign);
  CHECK(wishes[1].kind == launch::ItemKind::tune);
  CHECK(wishes[1].files == std::vector<std::string>{"space.json"});
}

TEST_CASE("measurement.md: the example is replayed, under that id") {
  std::string text = page("measurement.md"), body = std::string(trim(block(text, "json")));
  CHECK(text.find("`" + uuid_v8(body).text() + "`") != std::string::npos);
  Shell shell;
  put_text(shell / "m.json", body);
  std::string verdict = shell.run("explog bench --from " + (shell / "m.json"));
  CHECK(verdict.find("INCONCLUSIVE too_few_blocks") != std::string::npos);
  CHECK(verdict.ends_with("[exit 8]\n"));
}

TEST_CASE("task.md: the example is a task, the table what the generator makes") {
  std::string text = page("task.md");
  Shell shell;
  put_text(shell / "task.json", block(text, "json"));
  put_text(shell / "reference.cpp", "");
  CHECK(shell.run("explog task show " + (shell / "task.json")) == block(text, "json"));
  static const RE2 form(
      R"(\| `([a-z]+)` \| (\S+) / (\S+) / (\S+) \| (\S+) / (\S+) / (\S+) \| (\S+) / (\S+) / (\S+) \|)");
  constexpr const char* names[] = {"normal", "positive", "mixed", "large", "offset",
                                   "sparse", "integers", "index", "unit",  "equal"};
  std::string name, bits[9];
  re2::StringPiece rest(text);
  int rows = 0;
  while (RE2::FindAndConsume(&rest, form, &name, &bits[0], &bits[1], &bits[2], &bits[3], &bits[4], &bits[5],
                             &bits[6], &bits[7], &bits[8])) {
    CAPTURE(name);
    auto at = std::find(std::begin(names), std::end(names), name);
    REQUIRE(at != std::end(names));
    FillOrder order;
    order.fill = static_cast<Fill>(at - std::begin(names));
    order.row = 2;
    order.seed = mix(1, 0);
    for (std::uint64_t i = 0; i < 3; ++i) {
      std::uint32_t single[3];
      std::uint16_t half[3], brain[3];
      order.bits = Bits::f32, fill_at(single, order, i);
      order.bits = Bits::f16, fill_at(half, order, i);
      order.bits = Bits::bf16, fill_at(brain, order, i);
      CHECK(std::stoul(bits[3 * i], nullptr, 16) == single[i]);
      CHECK(std::stoul(bits[3 * i + 1], nullptr, 16) == half[i]);
      CHECK(std::stoul(bits[3 * i + 2], nullptr, 16) == brain[i]);
    }
    ++rows;
  }
  CHECK(rows == 10);
}

TEST_CASE("sweep.md, ladder.md, strategy.md: the examples are what the program reads") {
  CHECK(block(page("sweep.md"), "json") == read_file(checkout + "/kernels/transpose/sweep_host.json"));
  std::string head = block(page("ladder.md"), "c", 1);
  CHECK(read_file(checkout + "/kernels/softmax/vectorized.cpp").starts_with(head));
  CHECK(parse_strategy("unroll_twice.md", block(page("strategy.md"), "markdown")).id == "unroll_twice");
}

TEST_CASE("tune.md: the example is a space, whose rows are what the rules leave") {
  DeclaredSpace declared = declared_in_json(block(page("tune.md"), "json"), "space.json");
  TuningSpace space = tuning_space(declared, "int a = BLOCK * VEC;", "k.cu");
  CHECK(settings_text(space.original) == "BLOCK=128,VEC=1");
  CHECK(tuning_rows(space, {}).rows.size() == 5);
}

TEST_CASE("links of the pages lead somewhere") {
  static const RE2 link(R"(\]\(([^)#]+)[^)]*\))");
  Lines pages = {"README.md",        "CONTRIBUTING.md",      "CHANGELOG.md",
                 "schema/README.md", "strategies/README.md", "kernels/README.md",
                 "src/README.md"};
  for (const std::string& path : files_in(checkout + "/schema/formats"))
    pages.push_back(path.substr(checkout.size() + 1));
  for (const std::string& name : pages) {
    std::string text = read_file(checkout + "/" + name), target;
    re2::StringPiece rest(text);
    while (RE2::FindAndConsume(&rest, link, &target)) {
      if (target.starts_with("http")) continue;
      CAPTURE(name);
      CAPTURE(target);
      CHECK(std::filesystem::exists(std::filesystem::path(checkout + "/" + name).parent_path() / target));
    }
  }
}
