#include "bench/plan/joins.h"

#include <algorithm>
#include <map>
#include <vector>

namespace explog::bench {
namespace {

using namespace plan;

// What is over: whether the work before the call is, and of each stream how many of this call's operations.
struct Past {
  bool entry = false;
  std::vector<std::size_t> done;
  void include(const Past& other) {
    entry = entry || other.entry;
    for (std::size_t i = 0; i < done.size(); ++i) done[i] = std::max(done[i], other.done[i]);
  }
};

// Follows the order that streams, events and waits of the host give.
class Order {
 public:
  explicit Order(const Plan& p) : plan_(p), host_(nothing()) {
    streams_.assign(first_own_stream + p.streams.size(), nothing());
    count_.assign(streams_.size(), 0);
    for (std::uint32_t s = 0; s < streams_.size(); ++s) streams_[s].entry = blocking(s);
  }

  std::string follow() {
    for (const Operation& o : plan_.operations) {
      if (o.kind == Kind::host_wait) {
        wait_on_host(o);
        continue;
      }
      bool marks = o.kind == Kind::record || o.kind == Kind::wait;
      if (!begin(o.stream) && !marks)
        return "work on " + name(o.stream) + " does not wait for the default stream";
      step(o);
    }
    begin(legacy_stream);
    return left_over();
  }

 private:
  Past nothing() const {
    Past p;
    p.done.assign(first_own_stream + plan_.streams.size(), 0);
    return p;
  }
  bool blocking(std::uint32_t s) const {
    return s < first_own_stream || (plan_.streams[s - first_own_stream].flags & non_blocking) == 0;
  }
  static std::string name(std::uint32_t s) { return "stream " + std::to_string(s); }

  // The legacy default stream waits for blocking streams, and they for it; everything waits for the host.
  bool begin(std::uint32_t s) {
    streams_[s].include(host_);
    if (s == legacy_stream) {
      for (std::uint32_t other = 1; other < streams_.size(); ++other) {
        if (blocking(other)) streams_[s].include(streams_[other]);
      }
    } else if (blocking(s)) {
      streams_[s].include(streams_[legacy_stream]);
    }
    return streams_[s].entry;
  }

  void step(const Operation& o) {
    if (o.kind == Kind::record) {
      events_.insert_or_assign(o.event, streams_[o.stream]);
    } else if (o.kind == Kind::wait) {
      // An event that this call did not record is over at once.
      if (auto event = events_.find(o.event); event != events_.end())
        streams_[o.stream].include(event->second);
    } else {
      streams_[o.stream].done[o.stream] = ++count_[o.stream];
    }
  }

  void wait_on_host(const Operation& o) {
    if (o.waits_for == HostWait::event) {
      if (auto event = events_.find(o.event); event != events_.end()) host_.include(event->second);
      return;
    }
    for (std::uint32_t s = 0; s < streams_.size(); ++s) {
      if (o.waits_for == HostWait::stream && s != o.stream) continue;
      begin(s);
      host_.include(streams_[s]);
      host_.entry = host_.entry || o.waits_for == HostWait::device;
    }
  }

  std::string left_over() const {
    for (std::uint32_t s = 0; s < streams_.size(); ++s) {
      if (count_[s] > streams_[legacy_stream].done[s])
        return "work on " + name(s) + " is not joined to the default stream";
    }
    return "";
  }

  const Plan& plan_;
  Past host_;
  std::vector<Past> streams_;
  std::vector<std::size_t> count_;
  std::map<std::uint32_t, Past> events_;
};

}  // namespace

std::string unjoined(const Plan& p) { return Order(p).follow(); }

}  // namespace explog::bench
