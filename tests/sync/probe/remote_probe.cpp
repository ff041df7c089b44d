// Speaks to a remote through sync::Remote alone: honest origins made from a name, and dishonest ones. Every
// origin's log follows from its name, so a pusher that died goes on where the remote says it is.
//
//   remote_probe URL init [hardened] [ROLE...]     moderators end in '!'
//   remote_probe URL push NAME SEGMENTS EVENTS BODY [singly|tampered|stranger KEY-NAME|forged KEY-NAME]
//                                                  singly: a commit for each segment
//   remote_probe URL pull                          everything, once
//   remote_probe URL poll FILE                     again and again until FILE exists, then once more
//
// Prints one JSON object; exit status as explog's.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "base/error.h"
#include "base/text.h"
#include "cli/exit_of.h"
#include "sync/remote.h"

using namespace explog;
using namespace explog::sync;

namespace {

KeySeed seed_of(const std::string& name) { return blake2b_256("seed of " + name); }
OriginId origin_of(const std::string& name) { return blake2b_128("origin of " + name); }

// Event `seq` of the log that belongs to `name`.
LogEvent event_of(const std::string& name, std::int64_t seq, size_t length) {
  LogEvent event;
  event.id = uuid_v8(fmt::format("{}/{}", name, seq));
  event.kind = event.version = 1;
  event.at_ms = 1700000000000 + seq;
  event.body = fmt::format("{{\"from\":\"{}\",\"n\":{},\"fill\":\"", name, seq);
  event.body.append(length, 'x');
  event.body += "\"}";
  return event;
}

class Log {
 public:
  Log(std::string name, size_t length) : name_(std::move(name)), length_(length) {}
  Segment next(std::int64_t events) {
    Segment segment;
    segment.origin = origin_of(name_);
    segment.first = head_.seq + 1;
    segment.prev = head_.hash;
    for (std::int64_t i = 0; i < events; ++i) {
      LogEvent event = event_of(name_, ++head_.seq, length_);
      segment.head = chain_step(segment.origin, head_.seq, head_.hash, event);
      head_.hash = bytes_of(segment.head);
      segment.events.push_back(std::move(event));
    }
    sign_segment(segment, seed_of(name_));
    return segment;
  }

 private:
  std::string name_;
  size_t length_;
  Head head_;
};

int tell(Exit exit, const std::string& what, const std::string& hint) {
  fmt::print("{{\"exit\":{},\"what\":\"{}\",\"hint\":\"{}\"}}\n", static_cast<int>(exit),
             replace_all(printable(what), "\"", "'"), replace_all(printable(hint), "\"", "'"));
  return static_cast<int>(exit);
}
int tell(const Failure& failure) { return tell(cli::exit_of(failure.kind), failure.what, failure.hint); }

struct PushOrder {
  std::string name;
  std::int64_t segments = 0, events = 0;
  size_t length = 0;
  std::string trick, other;
};

void play_trick(Segment& segment, const PushOrder& order) {
  if (order.trick == "tampered") segment.events.back().body[3] ^= 1;
  // Another key for an origin: honestly signed by it, or with the true owner's signature.
  if (order.trick == "stranger") sign_segment(segment, seed_of(order.other));
  if (order.trick == "forged") segment.key = public_key_of(seed_of(order.other));
}

int push(Remote& remote, const PushOrder& order) {
  auto welcome = remote.connect({origin_of(order.name), public_key_of(seed_of(order.name)), order.name}, "");
  if (!welcome) return tell(welcome.failure());
  Head there = welcome->heads[origin_of(order.name)];
  Log log(order.name, order.length);
  std::int64_t stored = 0, stale = 0;
  for (std::int64_t i = 0; i < order.segments; ++i) {
    Segment segment = log.next(order.events);
    if (segment.last() <= there.seq) continue;
    play_trick(segment, order);
    auto pushed = remote.push(segment);
    if (!pushed) return tell(pushed.failure());
    (pushed->answer == Pushed::Answer::stored ? stored : stale) += 1;
    auto safe = order.trick == "singly" ? remote.flush() : sync::Outcome<bool>(true);
    if (!safe) return tell(safe.failure());
  }
  auto flushed = remote.flush();
  if (!flushed) return tell(flushed.failure());
  fmt::print("{{\"exit\":0,\"stored\":{},\"stale\":{}}}\n", stored, stale);
  return 0;
}

struct Puller {
  Heads have;
  std::string cursor, note;
  std::int64_t events = 0, segments = 0;
  std::vector<std::string> faults;  // whatever must not be

  void take(const Segment& segment) {
    Head& head = have[segment.origin];
    if (segment.last() <= head.seq) return;  // known
    if (auto fault = fault_of(segment)) faults.push_back(*fault);
    if (segment.first != head.seq + 1 || segment.prev != head.hash)
      faults.push_back(fmt::format("segment from {} does not continue {}", segment.first, head.seq));
    head = {segment.last(), bytes_of(segment.head)};
    events += static_cast<std::int64_t>(segment.events.size());
    ++segments;
  }

  // One sync; the remote's failure if there was one.
  std::optional<Failure> sync(const std::string& url) {
    auto remote = make_remote(url);
    auto welcome = remote->connect({origin_of("puller"), {}, ""}, cursor);
    if (!welcome) return welcome.failure();
    if (!welcome->note.empty()) note = welcome->note;
    while (true) {
      auto page = remote->pull(have);
      if (!page) return page.failure();
      for (const Segment& segment : page->segments) take(segment);
      for (const Problem& problem : page->problems) faults.push_back(problem.where + ": " + problem.reason);
      cursor = page->cursor;
      if (page->end) return std::nullopt;
    }
  }

  int report(const std::optional<Failure>& failure, std::int64_t failures) const {
    if (failure) return tell(*failure);
    std::string list;
    for (const std::string& fault : faults) list += (list.empty() ? "\"" : ",\"") + fault + '"';
    fmt::print(
        "{{\"exit\":{},\"events\":{},\"segments\":{},\"origins\":{},\"cursor\":\"{}\",\"note\":\"{}\","
        "\"failures\":{},\"faults\":[{}]}}\n",
        faults.empty() ? 0 : 6, events, segments, have.size(), cursor, note, failures, list);
    return faults.empty() ? 0 : 6;
  }
};

int poll(const std::string& url, const std::string& stop_file) {
  Puller puller;
  std::int64_t failures = 0;
  while (!std::filesystem::exists(stop_file)) {
    if (puller.sync(url)) ++failures;  // a server that is away: again
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return puller.report(puller.sync(url), failures);
}

int init(const std::string& url, const std::vector<std::string>& words) {
  Founding founding;
  for (const std::string& word : words) {
    if (word == "hardened")
      founding.hardened = true;
    else if (word.back() == '!')
      founding.moderators.push_back(word.substr(0, word.size() - 1));
    else
      founding.members.push_back(word);
  }
  auto made = make_remote(url)->init(founding);
  if (!made) return tell(made.failure());
  fmt::print("{{\"exit\":0,\"what\":\"{}\"}}\n", *made);
  return 0;
}

int run(const std::vector<std::string>& args) {
  const std::string &url = args.at(0), &what = args.at(1);
  if (what == "init") return init(url, {args.begin() + 2, args.end()});
  if (what == "poll") return poll(url, args.at(2));
  if (what == "pull") {
    Puller puller;
    auto failure = puller.sync(url);
    return puller.report(failure, 0);
  }
  PushOrder order{args.at(2), std::stoll(args.at(3)), std::stoll(args.at(4)), std::stoul(args.at(5)), "", ""};
  if (args.size() > 6) order.trick = args[6];
  if (args.size() > 7) order.other = args[7];
  auto remote = make_remote(url);
  return push(*remote, order);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const Error& e) {
    return tell(e.exit, e.what(), e.hint);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "remote_probe: %s\n", e.what());
    return 2;
  }
}
