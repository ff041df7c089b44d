#include "app/campaign/code.h"

#include <algorithm>
#include <thread>

#include "base/error.h"
#include "base/parallel.h"
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

std::size_t compiled_at_once() {
  constexpr std::size_t most = 8;  // a compiler of CUDA's takes a GB
  return std::clamp<std::size_t>(std::thread::hardware_concurrency() / 2, 1, most);
}

void compile_versions(const campaign::Contract& c, const std::vector<bench::SourceFile>& sources,
                      const Session& session) try {
  if (c.external.given() || backend_named(c.backend).in_python) return;
  session.progress("compiling what may come next");
  const bench::FoundTask found = bench::find_task(c.task, session.data_dir);
  const bench::Toolchain toolchain = bench::find_toolchain(c.backend, c.arch, c.compiler_flags);
  parallel_for(sources.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      try {
        bench::Builder(toolchain).candidate(found.task, sources[i]);
      } catch (const std::exception&) {  // who judges it says so
      }
    }
  });
} catch (const Error&) {  // no compiler
}

}  // namespace explog::app
