// A place that several databases exchange their logs through.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/log_segment.h"

namespace explog::sync {

// A remote that fails is a value: local work goes on, and the next sync continues where this one stopped.
struct Failure {
  enum class Kind {
    unreachable,  // not reached, busy, or broken off: trying again may help
    refused,      // no permission, another's origin, or something is not installed here
    too_old,      // the remote is meant for a newer explog
    misused,      // what was asked for makes no sense there
  };
  Kind kind = Kind::unreachable;
  std::string what;  // one line without secrets
  std::string hint;
};

template <typename T>
class Outcome {
 public:
  Outcome(T value) : held_(std::move(value)) {}            // NOLINT(google-explicit-constructor)
  Outcome(Failure failure) : held_(std::move(failure)) {}  // NOLINT(google-explicit-constructor)
  explicit operator bool() const { return held_.index() == 0; }
  T& operator*() { return std::get<0>(held_); }
  T* operator->() { return &std::get<0>(held_); }
  const Failure& failure() const { return std::get<1>(held_); }

 private:
  std::variant<T, Failure> held_;
};

// How far a log reaches, without a hole from event 1.
struct Head {
  std::int64_t seq = 0;
  std::string hash;  // the chain there: 32 bytes, empty for seq 0; empty too when the remote cannot tell
  bool operator==(const Head&) const = default;
};
using Heads = std::map<OriginId, Head>;

// Who we are: the origin that we append to, and the key that signs for it.
struct Identity {
  OriginId origin{};
  PublicKey key{};
  std::string label;  // how people call this database; may be empty
};

// How a place is made for a team.
struct Founding {
  bool hardened = false;                         // the server trusts no writer
  std::vector<std::string> members, moderators;  // the server's roles that may use it
  bool empty() const { return !hardened && members.empty() && moderators.empty(); }
};

struct Welcome {
  Heads heads;         // what the remote holds of each origin
  bool relays = true;  // takes segments of other origins from us
  std::string note;    // what the user should know: "the server was restored from an older copy"
  std::map<OriginId, std::string> labels;  // how origins call themselves, unsigned: as far as one believes it
  bool news = true;                        // false: there is nothing behind the cursor, so nothing to pull
};

// What became of a segment.
struct Pushed {
  enum class Answer {
    stored,  // or it was there already, the same to the bit
    stale,   // the remote's head of this origin is not where the segment begins: `head` says where it is
  };
  Answer answer = Answer::stored;
  Head head;  // of the segment's origin afterwards, at the remote
};

// Something of the remote that could not be used, for the report: the rest goes on.
struct Problem {
  std::string where;  // a file's name, "batch 17"
  std::string reason;
  bool passing = false;  // it may mend itself: a file that is still being copied
};

struct Page {
  std::vector<Segment> segments;  // some 8 MiB at most; in each origin's order; not verified yet
  std::vector<Problem> problems;
  std::string cursor;  // to be stored once the page is applied
  bool end = false;    // nothing behind it for now
};

// A body that was erased from the log; a remote erases it too where it can.
struct Erased {
  OriginId origin{};
  std::int64_t seq = 0;
  Digest body{};  // digest of what was there
};

// The calls of one sync, in this order: connect, push and erase any number of times, pull until the end.
// connect may throw Error(usage) for an impossible URL; nothing else throws for a remote's fault.
class Remote {
 public:
  virtual ~Remote() = default;
  virtual std::string where() const = 0;  // the URL without a password

  // Makes the place ready for a team; safe to repeat. The answer is what to tell the user.
  virtual Outcome<std::string> init(const Founding& founding) = 0;

  // `cursor` is what the last applied page said, empty to see everything. A remote that was restored from an
  // older copy notices here that the cursor is none of its own any more, goes back by itself and says so in
  // the note: what comes twice is skipped by whoever applies it.
  virtual Outcome<Welcome> connect(const Identity& self, const std::string& cursor) = 0;

  // After a lost connection it is asked again where the origin's head is, so that nothing is stored twice.
  // Another's origin, another key, no right to push: Failure::Kind::refused.
  virtual Outcome<Pushed> push(const Segment& segment) = 0;
  // Waits until all that was pushed is safe and visible.
  virtual Outcome<bool> flush() { return true; }
  virtual Outcome<bool> erase(const std::vector<Erased>& erased) = 0;

  // The next page of what is new. `have` is how far we are with each origin at this moment, what was accepted
  // of the pages before included: segments that lie wholly below may be left out.
  virtual Outcome<Page> pull(const Heads& have) = 0;
};

// The remote that `url` names, by the table of schemes. Throws Error(usage) for a URL that fits none.
std::unique_ptr<Remote> make_remote(const std::string& url);
// The forms of URL there are, for messages: "dir:PATH", "postgresql://...".
std::vector<std::string> remote_forms();
// Whether `url` carries a password, and the URL without it.
bool has_password(const std::string& url);
std::string without_password(const std::string& url);

}  // namespace explog::sync
