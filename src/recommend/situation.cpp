#include "recommend/situation.h"

#include <algorithm>
#include <cmath>

#include "model/vocabulary.h"

namespace explog::recommend {
namespace {

// Doublings over which a record loses all but 1/e of its weight for a question.
constexpr double size_reach = 4.5, latency_reach = 9;
constexpr double unknown_size = 0.7;  // weight of a record that does not say how large its problem was

// What computes elements of a type: types of one kind share units, tiles and instructions.
enum class Kind { plain, half, narrow, integer, other };

Kind kind_of(std::string_view dtype) {
  if (dtype == "f32" || dtype == "tf32") return Kind::plain;
  if (dtype == "f16" || dtype == "bf16") return Kind::half;
  if (dtype == "f8" || dtype == "f4" || dtype == "i8" || dtype == "u8") return Kind::narrow;
  return dtype == "i16" || dtype == "i32" || dtype == "i64" ? Kind::integer : Kind::other;
}

// Types of one family are related; a product with a vector reuses nothing and is a gemm by name only.
double type_weight(const Question& question, std::string_view seen) {
  std::string_view asked = question.kernel_type;
  if (asked.empty() || seen.empty() || asked == seen) return 1;
  if (asked == "gemv" || seen == "gemv") return 0.15;
  return asked == question.family ? 1 : 0.6;
}

double size_weight(const Question& question, const EvidenceRow& cell) {
  int latency = log2_latency(question.latency_ms);
  bool timed = latency != unknown_latency && cell.latency != unknown_latency;
  if (timed) return std::exp(-std::abs(latency - cell.latency) / latency_reach);
  int size = log2_size(question.shape);
  if (size < 0) return 1;
  return cell.size < 0 ? unknown_size : std::exp(-std::abs(size - cell.size) / size_reach);
}

}  // namespace

double dtype_weight(std::string_view asked, std::string_view seen) {
  if (asked.empty() || asked == seen) return 1;
  if (seen.empty()) return 0.7;
  Kind a = kind_of(asked), b = kind_of(seen);
  if (a == b && a != Kind::other) return 0.9;
  bool tensor_types = (a == Kind::half && b == Kind::narrow) || (a == Kind::narrow && b == Kind::half);
  return tensor_types ? 0.6 : 0.4;
}

double kinship(const Question& question, const Setting& setting) {
  return dtype_weight(question.dtype, setting.dtype) * type_weight(question, setting.kernel_type);
}

double situation_of(const Question& question, const EvidenceRow& cell) {
  bool known = question.bottleneck != Bottleneck::unknown && !question.bottleneck.empty();
  double weight = 1;
  if (known && cell.setting->bottleneck != question.bottleneck)
    weight = cell.setting->bottleneck == Bottleneck::unknown ? 0.5 : 0.35;
  return weight * size_weight(question, cell);
}

}  // namespace explog::recommend
