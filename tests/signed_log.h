// An origin made up for a test: writes events and signs segments of them.
#pragma once
#include <string>
#include <vector>

#include "model/event.h"
#include "model/log_segment.h"

class SignedLog {
 public:
  explicit SignedLog(unsigned char name) {
    origin_.fill(name);
    seed_.fill(name);
  }
  const explog::OriginId& origin() const { return origin_; }
  std::int64_t last() const { return seq_; }

  explog::LogEvent event(explog::Kind kind, const std::string& body) {
    explog::LogEvent e;
    e.id.bytes = origin_;
    e.id.bytes[6] = 0x70;
    e.id.bytes[14] = static_cast<unsigned char>((seq_ + pending_.size() + 1) >> 8);
    e.id.bytes[15] = static_cast<unsigned char>(seq_ + pending_.size() + 1);
    e.kind = static_cast<int>(kind);
    e.version = 1;
    e.at_ms = 1767323045000;
    e.body = body;
    return e;
  }
  SignedLog& add(explog::Kind kind, const std::string& body) {
    pending_.push_back(event(kind, body));
    return *this;
  }
  SignedLog& add(const explog::LogEvent& e) {
    pending_.push_back(e);
    return *this;
  }
  SignedLog& experience(const std::string& strategy, const std::string& more = "") {
    return add(
        explog::Kind::experience,
        R"({"kernel_type":"gemm","backend":"cuda","arch":"sm_90","outcome":"success","latency_before_ms":2,)"
        R"("latency_after_ms":1,"strategy":")" +
            strategy + "\"" + more + "}");
  }
  // A segment of what was added since the last one.
  explog::Segment close() {
    explog::Segment s;
    s.origin = origin_;
    s.first = seq_ + 1;
    s.prev = chain_;
    s.events.swap(pending_);
    for (const explog::LogEvent& e : s.events)
      chain_ = explog::bytes_of(explog::chain_step(origin_, ++seq_, chain_, e));
    s.head = explog::array_of<32>(chain_).value();
    explog::sign_segment(s, seed_);
    return s;
  }
  // A body that speaks of an event of this or another origin.
  static std::string about(const SignedLog& of, std::int64_t seq, const std::string& more) {
    return "{\"origin\":\"" + explog::hex(of.origin_) + "\",\"seq\":" + std::to_string(seq) + "," + more +
           "}";
  }

 private:
  explog::OriginId origin_{};
  explog::KeySeed seed_{};
  std::string chain_;
  std::int64_t seq_ = 0;
  std::vector<explog::LogEvent> pending_;
};
