#include <doctest/doctest.h>

#include <atomic>

#include "base/hash.h"
#include "base/svg.h"
#include "report/axes.h"
#include "report/campaign_page.h"
#include "report/charts.h"
#include "report/site.h"

using namespace explog;
using namespace explog::report;

namespace {

bool has(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

Attempt attempt(const std::string& id, const std::string& campaign, double before, double after,
                std::int64_t at) {
  Attempt a;
  a.id = id, a.campaign = campaign, a.at_ms = at;
  a.kernel_type = "softmax", a.kernel = "softmax/v.cu", a.backend = "cuda", a.arch = "sm_90",
  a.level = "measured";
  a.strategy = "unroll:up";
  a.before_ms = before, a.after_ms = after, a.speedup = before / after;
  a.lo = a.speedup * 0.999, a.hi = a.speedup * 1.001;
  a.outcome = a.speedup > 1.02 ? "success" : "failure";
  return a;
}

}  // namespace

TEST_CASE("text of others is text in every place of a page") {
  std::string evil = "</script><img src=x onerror=\"a\">'&\xE2\x80\xAE\x01";
  Page page;
  page.title = page.lead = page.made = evil;
  page.links = {{evil, evil}};
  Table table{evil, {{evil}}, {{{linked(evil, evil), Cell(evil, Tone::bad)}, evil}}};
  page.sections = {{evil,
                    {Words{evil}, Facts{{{evil, Cell(evil)}}}, Code{evil},
                     Figure{evil, strips(evil, {{evil, 2, 1, 3, evil}}), table}, table}}};
  std::string text = html(page);
  CHECK_FALSE(has(text, "<img"));
  CHECK_FALSE(has(text, "\xE2\x80\xAE"));
  CHECK_FALSE(has(text, "\"a\""));
  CHECK(has(text, "&lt;/script&gt;&lt;img src=x onerror=&quot;a&quot;&gt;&apos;&amp;\\u{202e}\\x01"));
  CHECK(safe_json("[\"</script>\"]") == "[\"\\u003c/script>\"]");
}

TEST_CASE("the policy names each script and style sheet of the page by its hash") {
  CHECK(sha256_base64("abc") == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
  std::string text = html(Page{});
  for (const char* tag : {"script", "style"}) {
    std::string open = std::string("<") + tag + ">", close = std::string("</") + tag + ">";
    std::size_t from = text.find(open) + open.size();
    std::string inside = text.substr(from, text.find(close) - from);
    CHECK(inside.size() > 500);
    CHECK(has(text, std::string(tag) + "-src 'sha256-" + sha256_base64(inside) + "'"));
  }
  CHECK(html(Page{}) == text);
}

TEST_CASE("ticks are round and lie within the axis") {
  CHECK(ticks(0, 1, 5) == std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1});
  CHECK(log_ticks(0.9, 11) == std::vector<double>{1, 2, 5, 10});
  CHECK(log_ticks(1e-3, 1e3).size() == 7);
  CHECK(ticks(1, 1, 5).size() == 1);
  Scale scale{1, 100, 0, 10, true};
  CHECK(scale(10) == doctest::Approx(5));
  CHECK(scale(1e9) == 10);
}

TEST_CASE("charts draw what they are given, and nothing where there is nothing") {
  CHECK(has(waterfall("w", {{"v1", "tip", 2, 1, true}, {"v2", "", 1, 0, false}}), "did not run"));
  CHECK_FALSE(has(waterfall("w", {{"v0", "", 0, 2, true}, {"v1", "", 2, 1, true}}), "<rect x=\"230"));
  CHECK(has(strips("s", {{"N=1", 1.5, 1.4, 1.6, ""}}), "1.500x"));
  CHECK(has(heat_map("h", {"A", "B", {"1", "2"}, {"8"}, {1.0, std::nullopt}}), "A = 1, B = 8: 1.000 ms"));
  CHECK(has(trend("t", {}), "nothing was measured"));
  CHECK(has(trend("t", {{0, 1, 0.9, 1.1, "a"}, {86400000, 2, 1.9, 2.1, "b"}}), "01-02 00:00"));
  for (const std::string& svg : {waterfall("", {}), strips("", {}), heat_map("", {}),
                                 trend("", {{0, 0, 0, 0, ""}}), sparkline("", {})}) {
    CHECK(has(svg, "</svg>"));
    CHECK_FALSE(has(svg, "nan"));
    CHECK_FALSE(has(svg, "inf\""));
  }
}

TEST_CASE("what was measured again and is slower by more than its intervals got worse") {
  Everything all;
  all.attempts = {attempt("0000000000000001-a", "monday", 2, 1, 1000),
                  attempt("0000000000000002-b", "tuesday", 2, 1.1, 2000)};
  Index index = index_of(all);
  REQUIRE(index.worse.size() == 1);
  CHECK(index.worse[0].factor == doctest::Approx(1.1));
  CHECK(home_of(*index.worse[0].before) == "campaign/monday.html#r-0000000000000001-a");
  all.attempts[1] = attempt("0000000000000002-b", "tuesday", 2, 1.015, 2000);
  CHECK(index_of(all).worse.empty());  // within 2%
  all.attempts[1] = attempt("0000000000000002-b", "monday", 2, 1.1, 2000);
  CHECK(index_of(all).worse.empty());  // another version of the same campaign
  all.attempts[1] = attempt("0000000000000002-b", "tuesday", 2, 0.9, 2000);
  CHECK(index_of(all).better.size() == 1);
}

TEST_CASE("records of one version are one step of the campaign") {
  std::vector<Attempt> list = {attempt("a", "c", 4, 2, 1), attempt("b", "c", 1, 0.5, 2),
                               attempt("d", "c", 2, 3, 3)};
  list[0].iteration = list[1].iteration = 1, list[2].iteration = 2;
  CampaignView view = campaign_of("c", {&list[0], &list[1], &list[2]});
  REQUIRE(view.versions.size() == 2);
  CHECK(view.versions[0].ms == doctest::Approx(1));
  CHECK(view.versions[0].status == "keep");
  CHECK(view.versions[1].status == "revert");
  CHECK(view.champion == 1);
}

TEST_CASE("the median gain of a strategy is that of stats, and leads to the record below it") {
  Everything all;
  all.attempts = {attempt("0000000000000001-a", "c", 4, 2, 1), attempt("0000000000000002-b", "c", 4, 1, 2),
                  attempt("0000000000000003-c", "c", 1, 2, 3)};
  Index index = index_of(all);
  Page page;
  page.sections = start_sections(all, index);
  CHECK(has(html(page), "<a href=\"campaign/c.html#r-0000000000000001-a\">3.00x</a>"));
}

TEST_CASE("the start page says what each machine reached, and how old the best versions are") {
  Everything all;
  all.attempts = {attempt("0000000000000001-a", "c", 4, 2, 1), attempt("0000000000000002-b", "c", 4, 1, 2)};
  for (Attempt& a : all.attempts) a.gpu = "NVIDIA H200";
  all.machines = {
      {"NVIDIA H200", "sm_90", "580", "13.0", {{"dram_bytes_per_s", 4.24e12}, {"f16_tensor_flops", 891e12}}}};
  Index index = index_of(all);
  Page page;
  page.sections = start_sections(all, index);
  std::string text = html(page);
  CHECK(has(text, "machine/" + slug("NVIDIA H200") +
                      ".html#s-ceilings\">dram 4.24 TB/s, f16 tensor 891 TFLOP/s</a>"));
  CHECK(has(text, "<a href=\"campaign/c.html#r-0000000000000002-b\">0 d</a>"));
}

TEST_CASE("a machine that all records are of is said once") {
  std::vector<Attempt> list = {attempt("a", "c", 4, 2, 1), attempt("b", "c", 4, 1, 2)};
  auto columns = [&] { return attempts_table("records", {&list[0], &list[1]}, false).columns.size(); };
  std::size_t without = columns();
  CHECK(attempts_table("records", {&list[0], &list[1]}, false).caption == "records; all of sm_90");
  list[1].gpu = "NVIDIA H200";
  CHECK(columns() == without + 1);
  CHECK(attempts_table("records", {&list[0], &list[1]}, false).caption == "records");
  CHECK(attempts_table("records", {&list[0]}, false).rows[0].cells.size() == without + 1);
}

TEST_CASE("it is known beforehand how many pages a site has") {
  Everything all;
  all.attempts = {attempt("a", "one", 2, 1, 1000), attempt("b", "two", 2, 1, 2000)};
  Index index = index_of(all);
  std::atomic<std::size_t> pages = 0;
  write_site(all, index, [&](const SiteFile&) { ++pages; });
  CHECK(pages > 3);
  CHECK(pages == pages_of(index));
}

TEST_CASE("names of files are harmless and apart") {
  CHECK(slug("gemm_f32") == "gemm_f32");
  for (const char* name : {"../../etc", "A", "a b", "", "größe"}) {
    CHECK(slug(name) != name);
    CHECK(slug(name).find('/') == std::string::npos);
    CHECK(slug(name).find('.') == std::string::npos);
  }
  CHECK(slug("A b") != slug("A-b"));
}
