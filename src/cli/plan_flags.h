// Flags of plans that many machines work on: `campaign start --plan`, `tune --plan`, `launch`.
#pragma once
#include <string>

#include "app/launch/plan_folder.h"
#include "app/launch/plan_worker.h"
#include "cli/arguments.h"
#include "cli/context.h"

namespace explog::cli {

struct PlanFlags {
  app::PlanStart start;
  app::PlanWork work;
  // Without --out and --shard, which the commands have of their own.
  void add_to(Arguments& arguments);
  bool given() const { return !start.file.empty(); }
};

// "2/4" of `flag`. Throws Error(usage).
launch::PlanShard plan_shard(const std::string& text);

// Makes the plan or finds it, and works on it until it is through; the exit code.
int run_plan(PlanFlags flags, const std::string& out, const std::string& shard, const Context& context);
// Works on one that is there.
int resume_plan(const PlanFlags& flags, const std::string& out, const std::string& shard,
                const Context& context);
int show_plan(const std::string& out, const Context& context);

}  // namespace explog::cli
