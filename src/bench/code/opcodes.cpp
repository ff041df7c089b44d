#include "bench/code/opcodes.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/text.h"

namespace explog::bench {
namespace {

struct OpRow {
  std::string_view name;
  Op op;
};

// By the whole word before the first dot. Those of the uniform data path begin with U and do what the others do.
constexpr auto sass_words = std::to_array<OpRow>({
    {"HMMA", Op::tensor},
    {"IMMA", Op::tensor},
    {"DMMA", Op::tensor},
    {"BMMA", Op::tensor},
    {"QMMA", Op::tensor},
    {"OMMA", Op::tensor},
    {"HGMMA", Op::tensor},
    {"IGMMA", Op::tensor},
    {"QGMMA", Op::tensor},
    {"BGMMA", Op::tensor},
    {"UTCHMMA", Op::tensor},
    {"UTCQMMA", Op::tensor},
    {"UTCIMMA", Op::tensor},
    {"UTCOMMA", Op::tensor},
    {"UTCMXQMMA", Op::tensor},
    {"FADD", Op::fp32},
    {"FMUL", Op::fp32},
    {"FFMA", Op::fp32},
    {"FADD32I", Op::fp32},
    {"FMUL32I", Op::fp32},
    {"FFMA32I", Op::fp32},
    {"FMNMX", Op::fp32},
    {"FMNMX3", Op::fp32},
    {"FSETP", Op::fp32},
    {"FSET", Op::fp32},
    {"FSEL", Op::fp32},
    {"FCHK", Op::fp32},
    {"FSWZADD", Op::fp32},
    {"FADD2", Op::fp32},
    {"FMUL2", Op::fp32},
    {"FFMA2", Op::fp32},
    {"DADD", Op::fp64},
    {"DMUL", Op::fp64},
    {"DFMA", Op::fp64},
    {"DMNMX", Op::fp64},
    {"DSETP", Op::fp64},
    {"DSET", Op::fp64},
    {"HADD2", Op::half},
    {"HMUL2", Op::half},
    {"HFMA2", Op::half},
    {"HMNMX2", Op::half},
    {"HSETP2", Op::half},
    {"HSET2", Op::half},
    {"HADD2_32I", Op::half},
    {"HMUL2_32I", Op::half},
    {"HFMA2_32I", Op::half},
    {"MUFU", Op::special},
    {"RRO", Op::special},
    {"IADD", Op::integer},
    {"IADD3", Op::integer},
    {"IADD32I", Op::integer},
    {"IMAD", Op::integer},
    {"IMUL", Op::integer},
    {"IMNMX", Op::integer},
    {"VIMNMX", Op::integer},
    {"VIADD", Op::integer},
    {"VIADDMNMX", Op::integer},
    {"VIMNMX3", Op::integer},
    {"ISETP", Op::integer},
    {"ISET", Op::integer},
    {"ISCADD", Op::integer},
    {"IABS", Op::integer},
    {"IDP", Op::integer},
    {"IDP4A", Op::integer},
    {"LEA", Op::integer},
    {"LOP", Op::integer},
    {"LOP3", Op::integer},
    {"PLOP3", Op::integer},
    {"SHF", Op::integer},
    {"SHL", Op::integer},
    {"SHR", Op::integer},
    {"XMAD", Op::integer},
    {"BFE", Op::integer},
    {"BFI", Op::integer},
    {"BREV", Op::integer},
    {"FLO", Op::integer},
    {"POPC", Op::integer},
    {"SGXT", Op::integer},
    {"BMSK", Op::integer},
    {"VABSDIFF", Op::integer},
    {"F2F", Op::convert},
    {"F2I", Op::convert},
    {"I2F", Op::convert},
    {"I2I", Op::convert},
    {"F2FP", Op::convert},
    {"I2FP", Op::convert},
    {"F2IP", Op::convert},
    {"I2IP", Op::convert},
    {"FRND", Op::convert},
    {"MOV", Op::move},
    {"MOV32I", Op::move},
    {"SEL", Op::move},
    {"PRMT", Op::move},
    {"S2R", Op::move},
    {"S2UR", Op::move},
    {"CS2R", Op::move},
    {"R2UR", Op::move},
    {"P2R", Op::move},
    {"R2P", Op::move},
    {"MOVM", Op::move},
    {"UP2UR", Op::move},
    {"UR2UP", Op::move},
    {"LDG", Op::global_load},
    {"LD", Op::global_load},
    {"STG", Op::global_store},
    {"ST", Op::global_store},
    {"LDGSTS", Op::async_copy},
    {"UBLKCP", Op::bulk_copy},
    {"UBLKPF", Op::bulk_copy},
    {"UBLKRED", Op::bulk_copy},
    {"UTMALDG", Op::bulk_copy},
    {"UTMASTG", Op::bulk_copy},
    {"UTMAREDG", Op::bulk_copy},
    {"UTMAPF", Op::bulk_copy},
    {"LDS", Op::shared},
    {"LDSM", Op::shared},
    {"STS", Op::shared},
    {"STSM", Op::shared},
    {"STAS", Op::shared},
    {"LDL", Op::local},
    {"STL", Op::local},
    {"LDC", Op::constant},
    {"LDCU", Op::constant},
    {"ATOM", Op::atomic},
    {"ATOMG", Op::atomic},
    {"ATOMS", Op::atomic},
    {"RED", Op::atomic},
    {"REDG", Op::atomic},
    {"REDAS", Op::atomic},
    {"SHFL", Op::exchange},
    {"VOTE", Op::exchange},
    {"MATCH", Op::exchange},
    {"REDUX", Op::exchange},
    {"CREDUX", Op::exchange},
    {"BAR", Op::barrier},
    {"SYNCS", Op::barrier},
    {"WARPSYNC", Op::barrier},
    {"MEMBAR", Op::barrier},
    {"FENCE", Op::barrier},
    {"DEPBAR", Op::barrier},
    {"LDGDEPBAR", Op::barrier},
    {"UTCBAR", Op::barrier},
    {"ARRIVES", Op::barrier},
    {"ERRBAR", Op::barrier},
    {"UCGABAR_ARV", Op::barrier},
    {"UCGABAR_WAIT", Op::barrier},
    {"WARPGROUP", Op::barrier},
    {"UTMACMDFLUSH", Op::barrier},
    {"CCTL", Op::barrier},
    {"BRA", Op::control},
    {"EXIT", Op::control},
    {"CALL", Op::control},
    {"RET", Op::control},
    {"BSSY", Op::control},
    {"BSYNC", Op::control},
    {"BREAK", Op::control},
    {"BRX", Op::control},
    {"JMP", Op::control},
    {"JMX", Op::control},
    {"BMOV", Op::control},
    {"NANOSLEEP", Op::control},
    {"YIELD", Op::control},
    {"KILL", Op::control},
    {"BPT", Op::control},
});

// By the beginning, the longest first where one begins with another.
constexpr auto ptx_beginnings = std::to_array<OpRow>({
    {"mma.", Op::tensor},
    {"wmma.mma", Op::tensor},
    {"wgmma.mma_async", Op::tensor},
    {"tcgen05.mma", Op::tensor},
    {"wmma.load", Op::shared},
    {"wmma.store", Op::shared},
    {"wgmma.", Op::barrier},
    {"tcgen05.", Op::other},
    {"cp.async.bulk.commit_group", Op::barrier},
    {"cp.async.bulk.wait_group", Op::barrier},
    {"cp.async.bulk", Op::bulk_copy},
    {"cp.reduce.async.bulk", Op::bulk_copy},
    {"cp.async.commit_group", Op::barrier},
    {"cp.async.wait", Op::barrier},
    {"cp.async.mbarrier", Op::barrier},
    {"cp.async", Op::async_copy},
    {"ld.param", Op::constant},
    {"ld.const", Op::constant},
    {"ld.shared", Op::shared},
    {"st.shared", Op::shared},
    {"ldmatrix", Op::shared},
    {"stmatrix", Op::shared},
    {"st.async", Op::shared},
    {"ld.local", Op::local},
    {"st.local", Op::local},
    {"st.param", Op::constant},
    {"ld.", Op::global_load},
    {"ldu.", Op::global_load},
    {"st.", Op::global_store},
    {"atom.", Op::atomic},
    {"red.async", Op::atomic},
    {"red.", Op::atomic},
    {"shfl.", Op::exchange},
    {"vote.", Op::exchange},
    {"match.", Op::exchange},
    {"redux.", Op::exchange},
    {"bar.", Op::barrier},
    {"barrier", Op::barrier},
    {"mbarrier", Op::barrier},
    {"membar", Op::barrier},
    {"fence", Op::barrier},
    {"griddepcontrol", Op::barrier},
    {"bra", Op::control},
    {"brx", Op::control},
    {"call", Op::control},
    {"ret", Op::control},
    {"exit", Op::control},
    {"trap", Op::control},
    {"cvta", Op::move},
    {"cvt.", Op::convert},
    {"mov", Op::move},
    {"selp", Op::move},
    {"prmt", Op::move},
    {"mapa", Op::move},
    {"ex2.", Op::special},
    {"lg2.", Op::special},
    {"rcp.", Op::special},
    {"rsqrt.", Op::special},
    {"sqrt.", Op::special},
    {"sin.", Op::special},
    {"cos.", Op::special},
    {"tanh.", Op::special},
    {"div.", Op::special},
});

std::vector<std::string_view> parts_of(std::string_view opcode) {
  std::vector<std::string_view> parts;
  for (std::string_view part : split(opcode, '.')) parts.push_back(part);
  return parts;
}

bool says(const std::vector<std::string_view>& parts, std::string_view wanted) {
  return std::find(parts.begin(), parts.end(), wanted) != parts.end();
}

const OpRow* sass_row(std::string_view word) {
  auto at =
      std::find_if(sass_words.begin(), sass_words.end(), [&](const OpRow& r) { return r.name == word; });
  if (at != sass_words.end()) return &*at;
  return word.starts_with('U') ? sass_row(word.substr(1)) : nullptr;
}

// Four bytes where nothing else is said.
std::int64_t sass_bytes(const std::vector<std::string_view>& parts) {
  constexpr std::pair<std::string_view, std::int64_t> widths[] = {
      {"U8", 1}, {"S8", 1}, {"U16", 2}, {"S16", 2}, {"64", 8}, {"128", 16}, {"256", 32}};
  for (const auto& [part, bytes] : widths) {
    if (says(parts, part)) return bytes;
  }
  return 4;
}

// "f32", "b128", "u8": the digits behind the letters of a type; nothing where it is none.
std::int64_t bits_of_type(std::string_view part) {
  std::string_view digits = part;
  while (!digits.empty() && (digits[0] < '0' || digits[0] > '9')) digits.remove_prefix(1);
  constexpr std::size_t longest = 3;
  if (digits.empty() || digits.size() == part.size() || digits.size() > longest) return 0;
  auto bits = parse_number(digits);
  constexpr std::string_view letters = "bfsux";
  std::string_view kind = part.substr(0, part.size() - digits.size());
  bool type = kind == "bf" || (kind.size() == 1 && letters.find(kind[0]) != std::string_view::npos);
  return bits && type ? static_cast<std::int64_t>(*bits) : 0;
}

std::int64_t ptx_bytes(const std::vector<std::string_view>& parts) {
  constexpr std::int64_t bits_in_byte = 8;
  std::int64_t each = bits_of_type(parts.back()) / bits_in_byte, many = 1;
  for (const auto& [part, n] : {std::pair("v2", 2), {"v4", 4}, {"v8", 8}}) {
    if (says(parts, part)) many = n;
  }
  return std::max<std::int64_t>(each, 1) * many;
}

// What is left does arithmetic, by the type behind it; comparisons of floats count as such.
Op ptx_arithmetic(const std::vector<std::string_view>& parts) {
  std::string_view type = parts.back();
  if (type == "f64") return Op::fp64;
  if (type == "f32" || type == "f32x2") return Op::fp32;
  if (type == "f16" || type == "f16x2" || type == "bf16" || type == "bf16x2") return Op::half;
  return bits_of_type(type) > 0 || type == "pred" ? Op::integer : Op::other;
}

}  // namespace

Opcode of_sass(std::string_view opcode) {
  std::vector<std::string_view> parts = parts_of(opcode);
  const OpRow* row = sass_row(parts[0]);
  Opcode code{row != nullptr ? row->op : Op::other, 0};
  bool to_global = code.op == Op::global_load || code.op == Op::global_store || code.op == Op::async_copy;
  if (to_global) code.bytes = sass_bytes(parts);
  if (code.op == Op::integer && says(parts, "MOV")) code.op = Op::move;  // IMAD.MOV
  return code;
}

Opcode of_ptx(std::string_view opcode) {
  std::vector<std::string_view> parts = parts_of(opcode);
  auto at = std::find_if(ptx_beginnings.begin(), ptx_beginnings.end(),
                         [&](const OpRow& r) { return opcode.starts_with(r.name); });
  Opcode code{at != ptx_beginnings.end() ? at->op : ptx_arithmetic(parts), 0};
  if (code.op == Op::global_load || code.op == Op::global_store) code.bytes = ptx_bytes(parts);
  if (code.op == Op::async_copy) code.bytes = says(parts, "cg") ? 16 : 4;  // of .ca an operand tells
  return code;
}

}  // namespace explog::bench
