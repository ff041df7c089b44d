// A plan as an arm of the runner: no host code of a candidate is in this process.
#include <fstream>
#include <sstream>

#include "../capture/hash.h"
#include "../plan_reader.h"
#include "../runner/loaded.h"
#include "player.h"

namespace explog {
namespace replay {
namespace {

std::string contents_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  if (!in) throw Failure("load_error", "cannot read " + path);
  return bytes.str();
}

plan::Plan plan_in(const std::string& path) {
  try {
    return plan::read(contents_of(path));
  } catch (const plan::Fault& f) {
    throw Failure("load_error", f.what());
  }
}

void play(void** bound) { reinterpret_cast<Bound*>(bound)->play(); }

class Replayed : public Loaded {
 public:
  explicit Replayed(const std::string& path)
      : plan_(plan_in(path)),
        hashes_(static_cast<unsigned long long*>(
            device::allocate(protocol::most_samples * sizeof(unsigned long long)))) {
    device::synchronize();
  }
  ~Replayed() override { device::release(hashes_); }
  Call function() const override { return play; }
  void** call(Buffers& buffers, int set) override { return reinterpret_cast<void**>(&bound(buffers, set)); }
  void restore(int set) override { bound_.at(static_cast<std::size_t>(set))->restore(); }
  void collect(Buffers&, int set) override { bound_.at(static_cast<std::size_t>(set))->collect(); }
  bool is_plan() const override { return true; }
  // A hash of all outputs: the same inputs must leave the same bytes in every call.
  void note(Buffers& buffers, int set) override {
    if (noted_ == protocol::most_samples) throw Failure("protocol", "too many calls in one command");
    begin_hash(buffers.arguments(), buffers.pointers(set), hashes_ + noted_++);
  }
  std::vector<std::uint64_t> noted() override {
    std::vector<std::uint64_t> all(static_cast<std::size_t>(noted_));
    static_assert(sizeof(std::uint64_t) == sizeof(unsigned long long));
    if (noted_ > 0) device::copy_out(all.data(), hashes_, all.size() * sizeof all[0]);
    noted_ = 0;
    return all;
  }
  void forget() override { bound_.clear(); }

 private:
  Bound& bound(Buffers& buffers, int set) {
    if (set < 0 || set >= buffers.sets()) throw Failure("protocol", "no such set");
    bound_.resize(static_cast<std::size_t>(buffers.sets()));
    auto& b = bound_[static_cast<std::size_t>(set)];
    if (!b) b = std::make_unique<Bound>(plan_, buffers.arguments(), buffers.pointers(set));
    return *b;
  }

  LoadedPlan plan_;
  unsigned long long* hashes_;  // on the device, of the calls since they were last asked for
  int noted_ = 0;
  std::vector<std::unique_ptr<Bound>> bound_;  // by set
};

}  // namespace
}  // namespace replay

std::unique_ptr<Loaded> load_file(const std::string& path) {
  return std::make_unique<replay::Replayed>(path);
}

}  // namespace explog
