#include "bench/code/device_code.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "bench/code/cubin.h"
#include "bench/code/ir.h"

namespace explog::bench {
namespace {

// The kernels in the order of their images, each found once: Triton gives every specialisation the same name.
class InOrder {
 public:
  explicit InOrder(std::vector<KernelCode>& kernels) : kernels_(kernels) {}

  KernelCode* next(std::string_view name) {
    std::size_t skip = taken_[std::string(name)]++;
    for (KernelCode& k : kernels_) {
      if (k.name == name && skip-- == 0) return &k;
    }
    return nullptr;
  }

 private:
  std::vector<KernelCode>& kernels_;
  std::map<std::string, std::size_t> taken_;
};

KernelCode& add_kernel(DeviceCode& code, const std::string& name) {
  return code.kernels.emplace_back(KernelCode{name, {}, {}, {}, {}, {}, {}, {}, {}});
}

void add_mixes(DeviceCode& code, std::vector<KernelText> texts) {
  InOrder kernels(code.kernels);
  for (KernelText& text : texts) {
    KernelCode* known = kernels.next(text.name);
    if (known == nullptr) known = &add_kernel(code, text.name);
    known->mix += text.mix;
  }
}

// What is said of a kernel that the cubin calls by another name stays out. Only Triton knows a block's shared memory in all.
void add_ir(DeviceCode& code, const CodeTexts& texts) {
  code.ir = !texts.ttgir.empty() ? "ttgir" : !texts.tileir.empty() ? "tileir" : "";
  Ir ir = read_ir(texts.ttgir.empty() ? texts.tileir : texts.ttgir);
  code.operations = std::move(ir.operations);
  bool alone = code.kernels.empty();
  InOrder kernels(code.kernels);
  for (const IrKernel& said : ir.kernels) {
    KernelCode* kernel = kernels.next(said.name);
    if (kernel == nullptr && alone) kernel = &add_kernel(code, said.name);
    if (kernel == nullptr) continue;
    kernel->warps = std::max(kernel->warps, said.num_warps);
    kernel->stages = std::max(kernel->stages, said.num_stages);
    if (said.num_warps) kernel->block_shared = std::max(kernel->block_shared, said.shared);
  }
}

// ".target sm_90a, debug" of PTX, ".target sm_90" of SASS.
std::string target_of(std::string_view text) {
  constexpr std::string_view target = ".target";
  std::size_t at = text.find(target);
  if (at == std::string_view::npos) return "";
  std::string_view rest = trim(text.substr(at + target.size(), 40));
  rest = rest.substr(0, rest.find_first_of(" \t\n,;"));
  return rest.starts_with("sm_") ? std::string(rest) : "";
}

using Number = std::optional<std::int64_t>;

// Instructions of one kind; nothing where none were counted at all.
Number counted(const DeviceCode& code, Op op) { return code.counted.empty() ? Number() : code.mix().of(op); }

Number widest(const DeviceCode& code, std::int64_t Mix::*side) {
  return code.counted.empty() ? Number() : Number(code.mix().*side);
}

}  // namespace

const std::vector<std::pair<std::string_view, std::string CodeTexts::*>>& code_kinds() {
  static const std::vector<std::pair<std::string_view, std::string CodeTexts::*>> kinds = {
      {"sass", &CodeTexts::sass},
      {"ptx", &CodeTexts::ptx},
      {"ttgir", &CodeTexts::ttgir},
      {"tileir", &CodeTexts::tileir},
  };
  return kinds;
}

Mix DeviceCode::mix() const {
  Mix sum;
  for (const KernelCode& kernel : kernels) sum += kernel.mix;
  return sum;
}

Number DeviceCode::most(Number KernelCode::*number) const {
  Number most;
  for (const KernelCode& kernel : kernels) {
    if (kernel.*number) most = std::max(most.value_or(0), *(kernel.*number));
  }
  return most;
}

DeviceCode read_code(const CodeTexts& texts) {
  DeviceCode code;
  if (auto cubin = read_cubins(texts.cubin)) {
    code.arch = cubin->arch, code.hash = cubin->hash;
    for (const CubinKernel& k : cubin->kernels)
      code.kernels.push_back({k.name, {}, k.registers, k.stack, k.shared, k.barriers, {}, {}, {}});
  }
  for (const std::string* text : {&texts.sass, &texts.ptx}) {
    if (code.arch.empty()) code.arch = target_of(*text);
  }
  if (!texts.sass.empty() || !texts.ptx.empty()) {
    code.counted = texts.sass.empty() ? "ptx" : "sass";
    add_mixes(code, texts.sass.empty() ? read_ptx(texts.ptx) : read_sass(texts.sass));
  }
  add_ir(code, texts);
  return code;
}

Facts state_of(const DeviceCode& code) {
  const std::pair<std::string, Number> facts[] = {
      {"registers_per_thread", code.most(&KernelCode::registers)},
      {"static_shared_bytes", code.most(&KernelCode::shared)},
      {"block_shared_bytes", code.most(&KernelCode::block_shared)},
      {"num_warps", code.most(&KernelCode::warps)},
      {"num_stages", code.most(&KernelCode::stages)},
      {"stack_bytes", code.most(&KernelCode::stack)},
      {"named_barriers", code.most(&KernelCode::barriers)},
      {"tensor_instructions", counted(code, Op::tensor)},
      {"async_copy_instructions", counted(code, Op::async_copy)},
      {"bulk_copy_instructions", counted(code, Op::bulk_copy)},
      {"barrier_instructions", counted(code, Op::barrier)},
      {"widest_global_load_bytes", widest(code, &Mix::widest_load)},
      {"widest_global_store_bytes", widest(code, &Mix::widest_store)},
      // PTX has registers without end: only SASS knows what was spilled.
      {"local_instructions", code.counted == "sass" ? counted(code, Op::local) : Number()},
  };
  Facts state;
  for (const auto& [name, value] : facts) {
    if (value) state.emplace_back(name, static_cast<double>(*value));
  }
  return state;
}

std::vector<CodeRow> resource_rows(const DeviceCode& a, const DeviceCode& b) {
  auto most = [&](const char* what, Number KernelCode::*number) {
    return CodeRow{what, a.most(number), b.most(number)};
  };
  auto wide = [&](const char* what, std::int64_t Mix::*side) {
    return CodeRow{what, widest(a, side), widest(b, side)};
  };
  std::vector<CodeRow> rows = {
      {"kernels", static_cast<std::int64_t>(a.kernels.size()), static_cast<std::int64_t>(b.kernels.size())},
      most("registers a thread", &KernelCode::registers),
      most("stack a thread, bytes (spills, arrays)", &KernelCode::stack),
      most("static shared memory, bytes", &KernelCode::shared),
      most("shared memory of a block, bytes", &KernelCode::block_shared),
      most("warps of a block", &KernelCode::warps),
      most("stages of a pipeline", &KernelCode::stages),
      most("barriers of a block", &KernelCode::barriers),
      wide("widest global load, bytes", &Mix::widest_load),
      wide("widest global store, bytes", &Mix::widest_store),
  };
  std::erase_if(rows, [](const CodeRow& r) { return !r.before && !r.after; });
  return rows;
}

std::vector<CodeRow> mix_rows(const DeviceCode& a, const DeviceCode& b) {
  std::vector<CodeRow> rows;
  bool any = !a.counted.empty() || !b.counted.empty();
  for (std::size_t i = 0; any && i < op_kinds; ++i) {
    Op op = static_cast<Op>(i);
    CodeRow row{std::string(title(op)), counted(a, op), counted(b, op)};
    if (row.before.value_or(0) != 0 || row.after.value_or(0) != 0) rows.push_back(std::move(row));
  }
  if (any)
    rows.push_back(
        {"all", a.counted.empty() ? Number() : a.mix().all(), b.counted.empty() ? Number() : b.mix().all()});
  return rows;
}

std::vector<CodeRow> operation_rows(const DeviceCode& a, const DeviceCode& b) {
  std::map<std::string, CodeRow> by_name;
  for (const auto& [code, side] : {std::pair(&a, &CodeRow::before), {&b, &CodeRow::after}}) {
    for (const auto& [name, count] : code->operations) by_name[name].*side = count;
  }
  std::vector<CodeRow> rows;
  for (auto& [name, row] : by_name) {
    row.what = name;
    for (const auto& [code, side] : {std::pair(&a, &CodeRow::before), {&b, &CodeRow::after}}) {
      if (!(row.*side) && !code->ir.empty()) row.*side = 0;
    }
    rows.push_back(std::move(row));
  }
  auto most = [](const CodeRow& r) { return std::max(r.before.value_or(0), r.after.value_or(0)); };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const CodeRow& x, const CodeRow& y) { return most(x) > most(y); });
  return rows;
}

}  // namespace explog::bench
