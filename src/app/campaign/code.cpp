#include "app/campaign/code.h"

#include "base/error.h"
#include "bench/find_task.h"
#include "bench/harness/toolchain.h"
#include "bench/machine_code.h"
#include "model/backend.h"

namespace explog::app {

std::string machine_code_of_version(const CampaignFolder& folder, const campaign::Proposed& proposal,
                                    const Session& session) try {
  const campaign::Contract& c = folder.contract();
  if (c.external.given() || backend_named(c.backend).in_python) return "";
  session.progress("compiling");
  bench::FoundTask found = bench::find_task(c.task, session.data_dir);
  bench::Builder builder(bench::find_toolchain(c.backend, c.arch, c.compiler_flags));
  bench::Built built = builder.candidate(found.task, bench::read_source(folder.file_of_proposal(proposal)));
  return built.ok ? bench::machine_code_of_product(built.path) : "";
} catch (const Error&) {  // no compiler, parameters that do not fit the task: judging tells it
  return "";
}

}  // namespace explog::app
