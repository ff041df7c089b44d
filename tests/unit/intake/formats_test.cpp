#include "intake/formats.h"

#include <doctest/doctest.h>

#include "unit/intake/read_all.h"

using namespace explog;
using namespace explog::test;

TEST_CASE("formats: every sample is recognised by its first bytes") {
  for (auto [file, format] : {std::pair("sample_experiences.json", "experiences"),
                              {"sample_perf_results.md", "perf_results"},
                              {"sample_print_record.log", "print_record"},
                              {"sample_kernel_tuner.json", "kernel_tuner"},
                              {"sample_nvbench.json", "nvbench"},
                              {"sample_t4.json", "kernel_tuner_t4"},
                              {"layer_norm_kernel.autotune.json", "triton_cache"},
                              {"sample_triton_log.jsonl", "triton_log"},
                              {"sample_helion.csv", "helion"},
                              {"sample_cutlass.csv", "cutlass"}}) {
    const std::string path = file;
    CAPTURE(path);
    const intake::Format* guess = intake::guess_format(sample(path));
    REQUIRE(guess != nullptr);
    CHECK(guess->name == format);
  }
}

TEST_CASE("formats: names are unique and found; prose is none of them") {
  for (const intake::Format& format : intake::formats()) CHECK(intake::find_format(format.name) == &format);
  CHECK(intake::find_format("csv") == nullptr);
  CHECK(intake::guess_format(sample("README.md")) == nullptr);
}
