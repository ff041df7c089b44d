#include "model/space.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "model/single_changes.h"

using namespace explog;

namespace {

Parameter parameter(const std::string& name, const std::vector<Scalar>& values) {
  Parameter p(name);
  for (const Scalar& value : values) p.number_of(value);
  return p;
}

std::vector<std::string> texts_of(const Space& space) {
  std::vector<std::string> list;
  for (const Configuration& c : configurations(space, "a space"))
    list.push_back(settings_text(settings_of(space, c)));
  return list;
}

Parameter::Kind kind_of(const std::string& name, const std::vector<Scalar>& values) {
  Space space;
  space.parameters = {parameter(name, values)};
  space.settle();
  return space.parameters[0].kind;
}

std::vector<std::string> moves_of(MeasuredSpace& measured) {
  measured.finish();
  std::vector<std::string> list;
  while (auto change = measured.next())
    list.push_back(settings_text({{"from", measured.value(change->base, change->parameter)}}) + " " +
                   change->move);
  return list;
}

}  // namespace

TEST_CASE("a space's conditions see numbers, flags and texts under the parameters' names") {
  Space space;
  space.parameters = {parameter("TILE", {64.0, 128.0}), parameter("TMA", {false, true}),
                      parameter("layout", {std::string("row"), std::string("it's")})};
  CHECK(configurations(space, "a space").size() == 8);
  space.where = {"TILE = 128 OR NOT TMA", "layout = 'row' OR TILE = 64"};
  CHECK(texts_of(space) == std::vector<std::string>{"TILE=64,TMA=0,layout=row", "TILE=64,TMA=0,layout=it's",
                                                    "TILE=128,TMA=0,layout=row",
                                                    "TILE=128,TMA=1,layout=row"});
  space.where = {"TILE > 256"};
  CHECK_THROWS_WITH_AS(configurations(space, "a space"), "a space: its conditions leave no configuration",
                       Error);
}

TEST_CASE("a space's parameters: what can be changed follows from the values") {
  using Kind = Parameter::Kind;
  CHECK(kind_of("block_size_x", {8.0, 16.0, 48.0}) == Kind::size);
  CHECK(kind_of("use_padding", {0.0, 1.0}) == Kind::flag);
  CHECK(kind_of("use_padding", {false, true}) == Kind::flag);
  CHECK(kind_of("use_method", {0.0, 1.0, 2.0}) == Kind::variant);  // numbers that are names
  CHECK(kind_of("layout", {std::string("row"), std::string("column")}) == Kind::variant);
  CHECK(kind_of("block_size_x", {8.0}) == Kind::fixed);
}

TEST_CASE("a space's parameters: a value listed twice is one; the text 1 and the number 1 are two") {
  CHECK(parameter("p", {1.0, true, 1.0}).values.size() == 1);
  CHECK(parameter("p", {1.0, std::string("1")}).values.size() == 2);
}

TEST_CASE("a space's parameters have names of their own in records") {
  Space space;
  for (const char* name : {"tile_size", "tile_size_x", "TILE_SIZE_X"}) space.parameters.emplace_back(name);
  space.settle();
  CHECK(space.parameters[0].shared == "coarsen_x");
  CHECK(space.parameters[1].shared == "tile_size_x");
  CHECK(space.parameters[2].shared == "TILE_SIZE_X");
}

TEST_CASE("a whole number is written without a point") {
  CHECK(scalar_text(8.0) == "8");
  CHECK(scalar_text(0.5) == "0.5");
  CHECK(scalar_text(2147483648.0) == "2147483648");
  CHECK(scalar_text(true) == "1");
  CHECK(scalar_text(std::string("row")) == "row");
}

TEST_CASE(
    "single changes: from what ran to what was tried, sizes by a factor of two, variants to each other") {
  MeasuredSpace sizes;
  sizes.space.parameters = {parameter("block_size_x", {8.0, 12.0, 16.0, 0.0})};
  for (std::uint32_t i = 0; i < 4; ++i) sizes.add(std::vector{i}, {Trial::State::valid, 1});
  CHECK(moves_of(sizes) == std::vector<std::string>{"from=8 up", "from=16 down"});

  MeasuredSpace variants;
  variants.space.parameters = {
      parameter("layout", {std::string("row"), std::string("column"), std::string("z")})};
  variants.add(std::vector{0u}, {Trial::State::valid, 1});
  variants.add(std::vector{1u}, {Trial::State::build_failed});
  variants.add(std::vector{2u}, {});  // not measured
  CHECK(moves_of(variants) == std::vector<std::string>{"from=row tocolumn"});
}

TEST_CASE("single changes: of a configuration measured twice the first counts; the problem is not changed") {
  MeasuredSpace measured;
  measured.space.parameters = {parameter("block_size_x", {8.0, 16.0}), parameter("n", {64.0, 128.0})};
  measured.space.parameters[1].kind = Parameter::Kind::context;
  for (std::uint32_t n : {0u, 1u}) measured.add(std::vector{0u, n}, {Trial::State::valid, 2});
  measured.add(std::vector{1u, 0u}, {Trial::State::valid, 1});
  measured.add(std::vector{1u, 0u}, {Trial::State::valid, 4});
  measured.finish();
  CHECK(measured.repeated() == 1);
  auto up = measured.next();
  REQUIRE(up.has_value());
  Experience e = experience_of(measured, *up);
  CHECK(e.strategy == "block_x:up");
  CHECK(e.outcome == "success");
  CHECK(e.state == Facts{{"block_x", 8}});
  CHECK(*e.latency_after_ms == 1);
}
