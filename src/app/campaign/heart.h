// That a process judges in a campaign's folder, for those who only look at it.
#pragma once
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/session/session.h"

namespace explog::app {

struct Heartbeat {
  int version = 0;
  std::string host, doing;                          // doing: "checking 3/8 N=4096", as far as it said
  std::int64_t pid = 0, since_ms = 0, beat_ms = 0;  // Unix time
  double age_s = 0;                                 // since the last beat
  bool alive() const;                               // it beat a short while ago
};

// Beats in a thread of its own while it lives.
class CampaignHeart {
 public:
  CampaignHeart(const std::string& folder, int version, const Session& session);
  ~CampaignHeart();
  CampaignHeart(const CampaignHeart&) = delete;
  CampaignHeart& operator=(const CampaignHeart&) = delete;

  // The session of the work it beats for: what it says it is doing is told here too.
  const Session& session() const { return heard_; }

 private:
  void run(const std::stop_token& stop);
  void beat();
  std::string file_;
  Heartbeat now_;
  Session heard_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;
};

// The last beat there; nothing where nobody judges, or it cannot be read.
std::optional<Heartbeat> heartbeat_in(const std::string& folder, const Session& session);
// What a process left that was ended.
void forget_heartbeat(const std::string& folder);

}  // namespace explog::app
