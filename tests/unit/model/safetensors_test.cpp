#include "model/safetensors.h"

#include <doctest/doctest.h>

#include "model/json.h"

using namespace explog;

namespace {

// What the reader says of a header before `data_bytes` of data; "" where it is accepted.
std::string refusal(const std::string& header, std::uint64_t data_bytes) {
  try {
    read_tensors(header, tensor_length_bytes + header.size() + data_bytes);
  } catch (const JsonError& e) {
    return e.what();
  }
  return "";
}

std::string one(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return R"({"x":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}";
}

}  // namespace

TEST_CASE("a header says where each tensor lies") {
  std::string header =
      R"({"__metadata__":{"format":"pt"},"b":{"dtype":"BF16","shape":[2,3],"data_offsets":[8,20]},)"
      R"("a":{"dtype":"I64","shape":[],"data_offsets":[0,8]}})";
  auto tensors = read_tensors(header, tensor_length_bytes + header.size() + 20);
  REQUIRE(tensors.size() == 2);
  CHECK(tensors[0].name == "a");
  CHECK(tensors[0].shape.empty());
  CHECK(tensors[1].dtype == "BF16");
  CHECK(tensors[1].shape == std::vector<std::uint64_t>{2, 3});
  CHECK(tensors[1].begin == 8 + header.size() + 8);
  CHECK(tensors[1].end == 8 + header.size() + 20);
  CHECK(shape_text(tensors[1].shape) == "[2, 3]");
}

TEST_CASE("every size of a safetensors file is checked") {
  CHECK(refusal(one("F32", "[4]", "[0,16]"), 16).empty());
  CHECK(refusal(one("F32", "[4]", "[0,16]"), 15) == "tensor 'x': its data lie at 0 to 16 of 15 bytes");
  CHECK(refusal(one("F32", "[4]", "[16,0]"), 16) == "tensor 'x': its data lie at 16 to 0 of 16 bytes");
  CHECK(refusal(one("F32", "[5]", "[0,16]"), 16) == "tensor 'x': 16 bytes of data for [5] of F32");
  CHECK(refusal(one("F4", "[5]", "[0,3]"), 3).empty());  // of a type that nobody here knows
  CHECK(refusal(one("F32", "[281474976710656,2]", "[0,0]"), 0) == "tensor 'x': more than 2^48 elements");
  CHECK(refusal(one("F32", "[-1]", "[0,0]"), 0) ==
        "tensor 'x': each size of \"shape\" must be a whole number from 0");
  CHECK(refusal(one("F32", "[1]", "[0]"), 4) == "tensor 'x': \"data_offsets\" must be two numbers");
  CHECK(refusal(R"({"x":{"shape":[1],"data_offsets":[0,4]}})", 4) == "tensor 'x': \"dtype\" is missing");
  CHECK(refusal(R"({"x":[]})", 4) == "tensor 'x' must be an object");
  CHECK(refusal("[]", 4) == "no safetensors file: its header is no object");
}

TEST_CASE("the header's length is held against the file's") {
  std::string eight("\x10\0\0\0\0\0\0\0", 8);
  CHECK(tensor_header_bytes(eight, 24) == 16);
  CHECK_THROWS_WITH_AS(tensor_header_bytes(eight, 23), "no safetensors file: its header would have 16 bytes",
                       JsonError);
  CHECK_THROWS_WITH_AS(tensor_header_bytes("PK", 2), "no safetensors file: it is shorter than 8 bytes",
                       JsonError);
  std::string huge(8, '\xff');
  CHECK_THROWS_AS(tensor_header_bytes(huge, ~std::uint64_t{0}), JsonError);
}
