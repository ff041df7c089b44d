// campaign: the experiment loop: start it, ask for the next step, have a version judged, see where it stands.
#include <memory>

#include "cli/campaign_actions.h"
#include "cli/commands.h"
#include "cli/flags.h"

namespace explog::cli {

Action setup_campaign(Arguments& arguments) {
  auto f = std::make_shared<CampaignFlags>();
  std::vector<std::string> names;
  for (const CampaignAction& action : campaign_actions()) names.emplace_back(action.name);
  f->add_to(arguments, names);
  return [f](Context& context) {
    for (const CampaignAction& action : campaign_actions()) {
      if (action.name != f->action) continue;
      if (!action.takes_words)
        expect_no_words("campaign " + f->action, f->subjects,
                        "--out DIR names a campaign; explog campaign --help");
      return action.run(*f, context);
    }
    return 0;
  };
}

}  // namespace explog::cli
