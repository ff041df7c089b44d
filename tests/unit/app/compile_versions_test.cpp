// Sources that are compiled before they are judged: the compiler is not asked again.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include <sys/stat.h>

#include "app/campaign/code.h"
#include "base/file.h"
#include "bench/find_source.h"
#include "bench/find_task.h"
#include "bench/harness/compilers.h"
#include "bench/harness/toolchain.h"
#include "scratch.h"

using namespace explog;

namespace {

// A compiler that writes a line whenever somebody asks it for an object.
class CountedCompiler {
 public:
  explicit CountedCompiler(const Scratch& scratch) : log_(scratch / "asked") {
    const std::string file = scratch / "counted-c++";
    write_file(file, fmt::format("#!/bin/sh\ncase \" $* \" in *' -c '*) echo >> {} ;; esac\nexec {} \"$@\"\n",
                                 log_, bench::find_cxx()));
    chmod(file.c_str(), 0755);
    setenv("CXX", file.c_str(), 1);
  }
  ~CountedCompiler() { before_.empty() ? unsetenv("CXX") : setenv("CXX", before_.c_str(), 1); }

  std::ptrdiff_t asked() const {
    const std::string lines = read_file(log_);
    return std::count(lines.begin(), lines.end(), '\n');
  }

 private:
  std::string log_, before_ = env("CXX");
};

}  // namespace

TEST_CASE(
    "what may come next is compiled beside each other, what does not compile included, and then is there") {
  const Scratch scratch;
  const CountedCompiler compiler(scratch);
  const bench::FoundTask found = bench::find_task("vector_add", "");
  std::vector<bench::SourceFile> sources(3, bench::source_of(found, "naive.cpp"));
  for (std::size_t i = 0; i < sources.size(); ++i)
    sources[i].text += fmt::format("// {} {}\n", i, scratch / "");
  sources[2].text += "nonsense\n";
  campaign::Contract contract;
  contract.task = "vector_add", contract.backend = "host";
  app::compile_versions(contract, sources, app::Session{});
  const std::ptrdiff_t before = compiler.asked();
  CHECK(before >= 3);
  bench::Builder builder(bench::find_toolchain("host", "", {}));
  CHECK(builder.candidate(found.task, sources[0]).ok);
  CHECK(builder.candidate(found.task, sources[1]).ok);
  CHECK(compiler.asked() == before);
  CHECK_FALSE(builder.candidate(found.task, sources[2]).ok);
}
