#include "bench/plan/compare_plans.h"

#include <map>

namespace explog::bench {
namespace {

using namespace plan;

void clear_addresses(Data& d) {
  for (const Fix& f : d.fixes)
    d.bytes.replace(f.at, f.tensor_map ? tensor_map_bytes : address_bytes,
                    f.tensor_map ? tensor_map_bytes : address_bytes, '\0');
}

// Pieces of data in the order in which they are named.
class Renumbering {
 public:
  explicit Renumbering(Plan& p) : plan_(p), old_(std::move(p.data)) { plan_.data.clear(); }
  void number(std::uint32_t& data) {
    if (data == none || data >= old_.size()) return;
    auto [row, is_new] = numbers_.emplace(data, static_cast<std::uint32_t>(plan_.data.size()));
    if (is_new) plan_.data.push_back(old_[data]);
    data = row->second;
  }
  void number(Operation& o) {
    for (std::uint32_t& p : o.parameters) number(p);
    if (o.kind == Kind::upload) number(o.data);
    for (Operation& node : o.nodes) number(node);
  }

 private:
  Plan& plan_;
  std::vector<Data> old_;
  std::map<std::uint32_t, std::uint32_t> numbers_;
};

std::string title(const Operation& o, std::size_t index) {
  std::string text =
      "operation " + std::to_string(index) + ", " + kind_names[static_cast<std::uint32_t>(o.kind)];
  return o.kind == Kind::launch ? text + " of " + o.name.substr(0, 60) : text;
}

class PlanComparison {
 public:
  PlanComparison(const Plan& a, const Plan& b) : a_(normalised(a)), b_(normalised(b)) {}

  PlanDifferences run() {
    if (a_.operations.size() != b_.operations.size()) {
      decide("one call does " + std::to_string(a_.operations.size()) + " operations, another " +
             std::to_string(b_.operations.size()));
      return result_;
    }
    for (std::size_t i = 0; i < a_.operations.size(); ++i) operation(a_.operations[i], b_.operations[i], i);
    surroundings();
    return result_;
  }

 private:
  void decide(const std::string& text) {
    if (result_.decides.empty()) result_.decides = text;
  }

  // All fields but the data, which are compared by what they hold.
  static Operation bare(Operation o) {
    o.parameters.assign(o.parameters.size(), 0);
    o.data = 0;
    for (Operation& node : o.nodes) node = bare(node);
    return o;
  }

  void operation(const Operation& x, const Operation& y, std::size_t index) {
    std::string where = title(x, index);
    if (bare(x) != bare(y)) return decide(where + " differs from call to call");
    for (std::size_t i = 0; i < x.parameters.size(); ++i)
      parameter(x.parameters[i], y.parameters[i], has_functors(x),
                where + ": parameter " + std::to_string(i));
    if (x.kind == Kind::upload) payload(x.data, y.data, where + ": what it copies");
    for (std::size_t i = 0; i < x.nodes.size(); ++i) operation(x.nodes[i], y.nodes[i], index);
  }

  // PyTorch hands its kernels functors by value: even one of a few bytes may have a part without members, which nobody sets.
  static bool has_functors(const Operation& o) { return o.name.starts_with("_ZN2at"); }

  // A struct may have padding, a number has none. What lay in the padding may be an address: CuTe DSL writes the first half of
  // a tensor map of 128 bytes and leaves the other as the stack had it.
  void parameter(std::uint32_t x, std::uint32_t y, bool may_be_struct, const std::string& where) {
    const Data &left = a_.data[x], &right = b_.data[y];
    const bool is_number = left.bytes.size() <= address_bytes;
    if (left.bytes.size() != right.bytes.size() || (is_number && left.fixes != right.fixes))
      return decide(where + " is another address in another call");
    if (left.bytes == right.bytes && left.fixes == right.fixes) return;
    if (is_number && !may_be_struct) return decide(where + " differs from call to call");
    result_.may_be_padding.push_back(where);
  }

  // A table of addresses may have padding.
  void payload(std::uint32_t x, std::uint32_t y, const std::string& where) {
    const Data &left = a_.data[x], &right = b_.data[y];
    if (left.fixes != right.fixes || left.bytes.size() != right.bytes.size())
      return decide(where + " is something else in another call");
    if (left.bytes == right.bytes) return;
    if (left.fixes.empty()) return decide(where + " differs from call to call");
    result_.may_be_padding.push_back(where);
  }

  void surroundings() {
    auto images = [](const Plan& p) {
      std::vector<std::string> names;
      for (const Image& i : p.images) names.push_back(i.sha256);
      return names;
    };
    if (images(a_) != images(b_)) decide("two calls launch kernels of other images");
    if (a_.arguments != b_.arguments) decide("the plans are of other arguments");
    if (a_.results != b_.results) decide("what it returns lies elsewhere in another call");
    if (a_.streams != b_.streams || a_.textures != b_.textures)
      decide("two calls use other streams or textures");
    workspaces();
  }

  void workspaces() {
    if (a_.workspaces.size() != b_.workspaces.size()) return decide("two calls use other workspaces");
    for (std::size_t i = 0; i < a_.workspaces.size(); ++i) {
      const Workspace &x = a_.workspaces[i], &y = b_.workspaces[i];
      std::string where = "workspace " + std::to_string(i);
      if (x.bytes != y.bytes || x.memory != y.memory)
        return decide(where + " has another size in another call");
      if (x.contents == none || y.contents == none) continue;
      if (a_.data[x.contents].bytes != b_.data[y.contents].bytes)
        result_.may_be_padding.push_back(where + ": what it holds before the call");
    }
  }

  Plan a_, b_;
  PlanDifferences result_;
};

}  // namespace

Plan normalised(Plan p) {
  for (Data& d : p.data) clear_addresses(d);
  for (Workspace& w : p.workspaces) w.low = 0;
  Renumbering order(p);
  for (Operation& o : p.operations) order.number(o);
  for (Workspace& w : p.workspaces) order.number(w.contents);
  for (Symbol& s : p.symbols) order.number(s.contents);
  return p;
}

PlanDifferences compare_plans(const Plan& a, const Plan& b) { return PlanComparison(a, b).run(); }

}  // namespace explog::bench
