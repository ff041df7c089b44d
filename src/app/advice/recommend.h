// The question a user asks -> ranked strategies with reasons, records' ids included.
#pragma once
#include <optional>
#include <string>

#include "app/session/session.h"
#include "diagnose/diagnose.h"
#include "model/question.h"
#include "recommend/rank.h"

namespace explog::app {

// What the user gives; fields that are left empty come from the record or the profile.
struct Ask {
  std::string kernel, backend, arch, bottleneck, dtype;
  std::optional<Facts> shape, state;
  std::optional<double> latency_ms;
  Facts metrics;
  std::string source, ncu;            // files
  std::string kernel_name;            // which kernel of the profile: RE2
  std::string record;                 // id to go on from
  std::optional<Launch> launch = {};  // counters that are at hand
  recommend::Order order = recommend::Order::success;
  int limit = 10;  // items shown, 0 for all
  bool explore = false;
};

// A profile or a record answers what the user leaves open.
struct StartingPoint {
  Experience record;
  std::optional<Launch> launch;
  diagnose::Diagnosis diagnosis;
};

struct Advice {
  Question question;
  StartingPoint start;
  recommend::Recommendation ranking;  // with ids of the records it names, for items that are shown
  std::size_t shown = 0;              // items
};

// Throws Error(usage) naming the flag whose value is missing or not known.
Advice recommend_for(const Ask& ask, const Session& session);
// Not where nothing is advised, nor where the kernel's type is a misspelling: the playbook's order for it answers another
// question than the one that was meant.
bool is_an_answer(const Advice& advice);

}  // namespace explog::app
