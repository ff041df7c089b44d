#include <doctest/doctest.h>

#include "base/file.h"
#include "fuzz/targets.h"

using namespace explog;

TEST_CASE("every input of the fuzzers' corpora is taken without a fault of ours") {
  for (const fuzz::Target& target : fuzz::targets) {
    CAPTURE(target.name);
    auto files = files_in(std::string(EXPLOG_SOURCE_DIR) + "/tests/fuzz/corpus/" + std::string(target.name));
    CHECK_FALSE(files.empty());
    for (const std::string& file : files) {
      CAPTURE(file);
      CHECK_NOTHROW(target.function(read_file(file)));
    }
  }
}
