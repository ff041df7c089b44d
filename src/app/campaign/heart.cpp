#include "app/campaign/heart.h"

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/machine.h"
#include "model/json.h"

namespace explog::app {
namespace {

constexpr auto between_beats = std::chrono::seconds(5);
constexpr double longest_silence_s = 30;

std::string file_in(const std::string& folder) { return folder + "/heart.json"; }

}  // namespace

bool Heartbeat::alive() const { return age_s <= longest_silence_s; }

CampaignHeart::CampaignHeart(const std::string& folder, int version, const Session& session)
    : file_(file_in(folder)), heard_(session) {
  now_.version = version, now_.host = host_name(), now_.pid = getpid();
  now_.since_ms = session.clock();
  heard_.progress = [this, tell = session.progress](const std::string& doing) {
    {
      std::lock_guard lock(mutex_);
      now_.doing = doing;
    }
    tell(doing);
  };
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

CampaignHeart::~CampaignHeart() {
  thread_.request_stop();
  wake_.notify_all();
  thread_.join();
  std::error_code ignored;
  std::filesystem::remove(file_, ignored);
}

void CampaignHeart::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    beat();
    wake_.wait_for(lock, stop, between_beats, [] { return false; });
  }
}

// A folder that cannot be written now is no reason to end the judging: the next beat tries again.
void CampaignHeart::beat() try {
  JsonWriter json;
  json.begin_object();
  json.field("format", 1);
  json.field("v", now_.version), json.field("host", now_.host), json.field("pid", now_.pid);
  json.field("doing", now_.doing);
  json.field("since_ms", now_.since_ms), json.field("beat_ms", heard_.clock());
  json.end_object();
  write_file(file_, json.take() + "\n");
} catch (const std::exception&) {
}

std::optional<Heartbeat> heartbeat_in(const std::string& folder, const Session& session) try {
  if (access(file_in(folder).c_str(), R_OK) != 0) return std::nullopt;
  Json json = parse_json(read_file(file_in(folder)));
  Heartbeat beat;
  beat.version = json.at("v").get<int>(), beat.host = json.at("host").get<std::string>();
  beat.doing = json.at("doing").get<std::string>(), beat.pid = json.at("pid").get<std::int64_t>();
  beat.since_ms = json.at("since_ms").get<std::int64_t>(),
  beat.beat_ms = json.at("beat_ms").get<std::int64_t>();
  beat.age_s = static_cast<double>(session.clock() - beat.beat_ms) / 1000;
  return beat;
} catch (const std::exception&) {  // it is being written just now
  return std::nullopt;
}

void forget_heartbeat(const std::string& folder) {
  std::error_code ignored;
  std::filesystem::remove(file_in(folder), ignored);
}

}  // namespace explog::app
