// A campaign as pictures: what each version changed, what was kept, how sure that is.
#pragma once
#include <string>
#include <vector>

#include "report/attempt.h"
#include "report/charts.h"

namespace explog::report {

struct CampaignVersion {
  int number = 0;
  std::string name;              // strategy, or "baseline"
  std::string status;            // baseline, keep, revert, crash, "not judged"
  std::string hypothesis, said;  // what was hoped for; what the judge says
  double ms = 0, from_ms = 0;    // 0: there is none; not known
  Strip faster;                  // than its parent
  std::vector<Strip> shapes;
  std::vector<std::string> expected;  // "dram__bytes.sum: said -30%, got -41%"
  std::vector<std::string> records;   // ids
  std::string row;                    // anchor of its row on the page, empty where it has none
  bool kept() const { return status == "keep" || status == "baseline"; }
};

struct CampaignView {
  std::string id, lead;
  std::vector<std::pair<std::string, std::string>> facts;  // task, machine, rules, why it ended
  std::vector<CampaignVersion> versions;
  int champion = -1;               // number of the best version
  bool has_records_table = false;  // its page lists the records: no second table of the same
};

// From the records of a campaign that the store has, oldest first.
CampaignView campaign_of(const std::string& id, const std::vector<const Attempt*>& records);

// Sections of its page: in short, pictures, the versions.
std::vector<Section> campaign_sections(const CampaignView& campaign);

}  // namespace explog::report
