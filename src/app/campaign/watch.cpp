#include "app/campaign/watch.h"

#include <chrono>
#include <thread>

namespace explog::app {

Wanted wanted_for(double seconds) {
  using Clock = std::chrono::steady_clock;
  return [end = Clock::now() + std::chrono::duration<double>(seconds)] { return Clock::now() < end; };
}

CampaignView await_verdict(const std::string& folder, const Session& session, const Wanted& wanted) {
  for (;; pause_between_looks()) {
    CampaignView view = view_campaign(folder, session);
    if (view.state.phase != campaign::Phase::judging || !wanted()) return view;
  }
}

void watch_campaign(const std::string& folder, const Session& session,
                    const std::function<void(const CampaignView&)>& first,
                    const std::function<void(const std::vector<campaign::Event>&)>& then) {
  constexpr std::chrono::milliseconds between_looks(200);  // who works there waits for who looks
  std::size_t told = 0;
  for (bool begins = true;; begins = false, std::this_thread::sleep_for(between_looks)) {
    const CampaignFolder now(folder, session);
    const std::vector<campaign::Event>& events = now.events();
    std::optional<Heartbeat> heart;
    if (now.state().phase == campaign::Phase::judging) heart = heartbeat_in(folder, session);
    if (begins) {
      first({now.path(), now.contract(), now.state(), heart});
    } else if (events.size() > told) {
      session.progress("");
      then({events.begin() + static_cast<std::ptrdiff_t>(told), events.end()});
    }
    told = events.size();
    if (now.state().stop) return session.progress("");
    session.progress(heart ? "v" + std::to_string(heart->version) + " " + heart->doing : "");
  }
}

}  // namespace explog::app
