// doctor: environment and store health.
#include <memory>

#include "answers/doctor.h"
#include "app/judge/doctor.h"
#include "cli/commands.h"

namespace explog::cli {
namespace {

// Of the first check that failed: a projection that had to be repaired is a finding, all else a broken store.
int exit_code(const app::Health& health) {
  if (health.failure) return static_cast<int>(*health.failure);
  for (const store::HealthCheck& check : health.database) {
    if (!check.ok) return static_cast<int>(check.name == "rebuild" ? Exit::negative : Exit::store);
  }
  return 0;
}

struct DoctorFlags : app::DoctorOptions {
  std::string salvage;
};

int run_salvage(const DoctorFlags& o, const Context& context) {
  store::Salvaged salvaged = app::salvage_to(o.salvage, context.session);
  if (context.json)
    context.terminal.out << answers::salvaged_json(salvaged, o.salvage) << '\n';
  else
    answers::print_salvaged(context.terminal, salvaged, o.salvage);
  bool lost = salvaged.broken > 0 || salvaged.missing > 0;
  return static_cast<int>(salvaged.found == 0 ? Exit::negative : lost ? Exit::quarantined : Exit::ok);
}

int run_doctor(const DoctorFlags& o, const Context& context) {
  if (!o.salvage.empty()) return run_salvage(o, context);
  app::Health health = app::examine(o, context.session);
  if (context.json)
    context.terminal.out << answers::health_json(health) << '\n';
  else
    answers::print_health(context.terminal, health);
  return exit_code(health);
}

}  // namespace

Action setup_doctor(Arguments& arguments) {
  auto o = std::make_shared<DoctorFlags>();
  arguments.flag("--rebuild", o->rebuild,
                 "make the projections again from the log, compare, and replace them when they differ");
  arguments.flag(
      "--ceilings", o->ceilings,
      "measure what the GPU here reaches (bandwidth, fp32 and tensor rates) and keep it for `diagnose`");
  arguments.option("--salvage", o->salvage, "store what can still be read of a damaged database in a new one")
      .type_name("NEW.db");
  return [o](Context& context) { return run_doctor(*o, context); };
}

}  // namespace explog::cli
