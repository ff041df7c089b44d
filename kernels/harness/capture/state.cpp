// What the candidate's memory holds before a call: read ahead, kept as far as the call names it.
#include <cstring>

#include "../sha256.h"
#include "recording.h"

namespace explog::capture {

using namespace plan;

namespace {

constexpr std::uint64_t read_at_most = 16 << 20;  // of all memory, before each captured call

// Memory that cannot be kept is not read: it may be large.
std::optional<std::string> read_memory(const Range& range, Memory memory, std::uint64_t& sum) {
  if (range.bytes > limit::kept || sum + range.bytes > read_at_most) return {};
  std::string bytes(range.bytes, '\0');
  if (memory == Memory::host) {
    std::memcpy(bytes.data(), reinterpret_cast<const void*>(range.base), range.bytes);
  } else if (cuMemcpyDtoH(bytes.data(), range.base, range.bytes) != CUDA_SUCCESS) {
    return {};
  }
  sum += range.bytes;
  return bytes;
}

}  // namespace

void Recording::read_state() {
  std::uint64_t sum = 0;
  for (Allocation& a : addresses_.allocations()) {
    a.before.reset();
    if (a.live) a.before = read_memory(a.range, a.memory, sum);
  }
  for (auto& [image, all] : addresses_.variables()) {
    for (Variable& v : all) v.before = read_memory(v.range, Memory::device, sum);
  }
}

std::uint32_t Recording::kept(const std::optional<std::string>& before, std::uint64_t& sum,
                              std::uint64_t bytes) {
  if (!before || sum + bytes > limit::kept) {
    plan_.left_out += bytes;
    return none;
  }
  sum += bytes;
  return data(before->data(), before->size(), false);
}

// What is kept may hold addresses of further workspaces and images: lists grow while they are walked.
void Recording::keep_state() {
  std::uint64_t of_workspaces = 0, of_symbols = 0;
  std::size_t w = 0, s = 0;
  while (w < workspaces_.size() || s < symbol_images_.size()) {
    if (w < workspaces_.size()) {
      const Allocation& a = addresses_.allocations()[workspaces_[w]];
      std::uint64_t bytes = a.range.bytes;
      bool in_call = a.call == call_;
      Workspace words{a.memory, bytes, a.range.base % placement, in_call, none};
      if (!in_call) words.contents = kept(a.before, of_workspaces, bytes);
      plan_.workspaces.push_back(words);
      ++w;
      continue;
    }
    std::size_t image = symbol_images_[s];
    const Variable& v = addresses_.variables()[image][s - first_symbols_[image]];
    std::uint32_t contents = kept(v.before, of_symbols, v.range.bytes);
    plan_.symbols[s].contents = contents;
    ++s;
  }
}

Plan Recording::end() {
  keep_state();
  on_ = false;
  for (Image& i : plan_.images) i.sha256 = Sha256::hex_of(i.bytes);
  return std::move(plan_);
}

}  // namespace explog::capture
