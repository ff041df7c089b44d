#include "app/campaign/show.h"

#include <filesystem>

namespace explog::app {
namespace {

namespace fs = std::filesystem;

// When it was last proposed and judged: one whose judging was interrupted is proposed again.
void put_times(ShownVersion& shown, const std::vector<campaign::Event>& events) {
  for (const campaign::Event& event : events) {
    if (auto* p = std::get_if<campaign::Proposed>(&event.what); p && p->version == shown.version)
      shown.proposed_at = event.at;
    if (auto* j = std::get_if<campaign::Judged>(&event.what); j && j->version == shown.version)
      shown.judged_at = event.at;
  }
}

}  // namespace

ShownVersion show_version(const std::string& where, std::optional<int> version, const Session& session) {
  CampaignFolder folder(where, session);
  const campaign::State& state = folder.state();
  const int number = version.value_or(state.champion);
  const campaign::Proposed& proposal = folder.version(number).proposal;
  ShownVersion shown{{folder.path(), folder.contract(), state, {}}, number, "", "", "", ""};
  if (fs::exists(folder.file_of(number))) shown.file = folder.file_of(number);
  if (number > 0 && !shown.file.empty() && fs::exists(folder.file_of(proposal.parent)))
    shown.diff = folder.change_of(proposal, bench::read_source(shown.file));
  put_times(shown, folder.events());
  return shown;
}

}  // namespace explog::app
