// (question, evidence, playbook) -> ranked strategies with reasons. Pure and deterministic: the ledger's
// rates (ledger.h) over the playbook's priors. Other families' rates are never a prior.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/family_evidence.h"
#include "model/playbook.h"
#include "model/question.h"
#include "recommend/alternatives.h"
#include "recommend/item.h"
#include "recommend/ledger.h"
#include "recommend/reliability.h"

namespace explog::recommend {

struct Filtered {
  std::string strategy, reason;
};

struct Avoid {
  std::string strategy, reason;
  std::vector<std::int64_t> rids;
  std::vector<std::string> ids = {};
};

struct Recommendation {
  // evidence; prior (records of the family, none of this backend: the playbook's order, helped by theirs);
  // prior_only (no record of the family: the playbook's order); unknown_kernel (the same, and the type is not
  // in the taxonomy); filtered (no strategy applies).
  std::string status;
  std::int64_t records = 0;          // of the family
  std::int64_t backend_records = 0;  // of the family and the question's backend
  std::string backends;              // who the family's records are of: "cuda", "cuda, other"
  std::vector<Item> items;
  std::vector<Avoid> avoid;
  std::vector<Filtered> already_there;      // what the kernel has, and how we know
  std::vector<Relaxation> relaxations;      // what to ask instead; empty when there is evidence
  std::vector<Filtered> filtered;           // strategies of the playbook that do not apply, and why
  std::vector<Similarity::Source> sources;  // who the evidence comes from
};

enum class Order { success, gain };

// `curve`: a recalibration fitted to the own records; the order of strategies by success stays as it is.
Recommendation rank(const Question& question, FamilyEvidence evidence, const Playbook& playbook,
                    Order order = Order::success, const std::optional<Recalibration>& curve = {});

// Of the items behind the first `shown`: the one most worth trying for what it would teach, among those with
// fewer than three records here.
std::optional<std::size_t> to_explore(const std::vector<Item>& items, std::size_t shown);

}  // namespace explog::recommend
