// The folder of a plan, which several machines share: the list, the items' inputs, who works on what, and what came of it
// (schema/formats/work_plan.md). Every step is one name that appears at once, so that no lock is needed and a process may
// be killed between any two of them.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/session/session.h"
#include "launch/claim.h"

namespace explog::app {

class PlanFolder {
 public:
  static bool is_one(const std::string& folder);
  // Reads the list. Throws Error(usage) where there is none, Error(unavailable) for that of another version of the program.
  explicit PlanFolder(const std::string& folder, bool to_work = false);

  const std::string& path() const { return folder_; }
  const launch::WorkPlan& plan() const { return plan_; }
  std::string remote() const;  // the URL where records go
  std::string input_of(const launch::Item& item) const { return folder_of(item) + "/input"; }

  // All of these throw Error(remote) while the folder is out of reach.
  launch::ItemFacts facts(const launch::Item& item) const;
  bool is_done(const launch::Item& item) const;
  // False: somebody else took that attempt.
  bool claim(const launch::Item& item, int attempt, const launch::Claim& claim) const;
  bool has_claim(const launch::Item& item, int attempt) const;
  void leave(const launch::Item& item, int attempt, const launch::Left& left) const;
  // False: it has an end already, and this one counts for nothing.
  bool finish(const launch::Item& item, const launch::Done& done) const;

  // What an attempt has come to so far, or in the end, as a copy of a local folder.
  void keep(const launch::Item& item, const std::string& name, const std::string& from) const;
  std::optional<std::string> kept(const launch::Item& item, const std::string& name) const;

  void beat(const std::string& worker, const std::string& text) const;
  std::optional<std::string> beat_of(const std::string& worker) const;

 private:
  std::string folder_of(const launch::Item& item) const { return folder_ + "/items/" + item.id; }
  std::string folder_;
  launch::WorkPlan plan_;
};

// What a plan is made with.
struct PlanStart {
  std::string file, out, remote;  // remote: empty: the folder log/ in `out`
  launch::ItemKind kind = launch::ItemKind::campaign;
  double beat_s = 5, stale_s = 60;
};
// Copies what the items need, then writes the list; where the same list is there already nothing changes. Throws
// Error(usage) for items that cannot be read, and where another list is there.
PlanFolder make_plan(const PlanStart& start, const Session& session);

}  // namespace explog::app
