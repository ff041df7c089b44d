#include "cli/tune_flags.h"

#include <algorithm>
#include <cmath>

#include "app/tune/configs.h"
#include "base/error.h"
#include "base/text.h"

namespace explog::cli {
namespace {

const std::vector<std::string> search_words = {"exhaustive", "halving", "local", "random",
                                               "predicted"};  // as the enum

}  // namespace

tune::Strategy strategy_of(const std::string& word) {
  auto it = std::find(search_words.begin(), search_words.end(), word);
  return static_cast<tune::Strategy>(it - search_words.begin());
}

double seconds_of(const std::string& budget) {
  std::string digits = budget;
  double unit = 60;
  for (auto [letter, seconds] : {std::pair('s', 1.0), {'m', 60.0}, {'h', 3600.0}}) {
    if (!digits.empty() && digits.back() == letter) {
      digits.pop_back();
      unit = seconds;
      break;
    }
  }
  auto number = parse_number(digits);
  if (!number || *number <= 0)
    throw Error(Exit::usage, "tune: --budget: '" + budget + "' is no time",
                "90s, 10m, 1h, or a number of minutes");
  return *number * unit;
}

tune::Shard shard_of(const std::string& text) {
  std::size_t slash = text.find('/');
  auto k = parse_number(text.substr(0, slash));
  auto n = slash == std::string::npos ? std::nullopt : parse_number(text.substr(slash + 1));
  if (!k || !n || *k < 1 || *n < *k || *n > 1e6 || std::trunc(*k) != *k || std::trunc(*n) != *n)
    throw Error(Exit::usage, "tune: --shard: '" + text + "' is no part such as 2/4", "K/N with 1 <= K <= N");
  return {static_cast<std::size_t>(*k), static_cast<std::size_t>(*n)};
}

void add_search_flags(Arguments& arguments, TuneFlags& f) {
  arguments
      .option("--space", f.tune.space, "the knobs: a file as sweep.json or T1, or 'BLOCK=128,256;VEC=1,4'")
      .type_name("FILE|SPEC");
  arguments.option("--where", f.tune.where, "only what fulfils this SQL condition (repeat it)")
      .one_word()
      .type_name("EXPR");
  arguments
      .option("--controls", f.tune.controls,
              "one more knob: these files of compiler controls (CompileIQ), each by nvcc --apply-controls")
      .type_name("'DIR/*.acf'");
  arguments
      .option("--shape,--shapes", f.tune.shapes,
              "tune this shape, M=512,N=512, or those in a file, one a line")
      .type_name("DIMS|FILE");
  arguments
      .option("--strategy", f.strategy,
              "how to search; without it all rows, above 2,000 halving (cuTile, CuTe DSL: above 30); "
              "predicted: what "
              "records of such changes promise comes first")
      .one_of(search_words)
      .type_name("S");
  arguments.option("--budget", f.budget, "begin nothing more after this time: 90s, 10m, 1h")
      .type_name("TIME");
  arguments.option("--max-configs", f.tune.plan.most, "measure no more configurations than this")
      .type_name("N");
  arguments.option("--seed", f.tune.plan.seed, "of the order in which rows are tried").type_name("N");
  arguments.option("--shard,--shards", f.shard, "measure the K-th of N parts of the space").type_name("K/N");
  arguments.option("--max-time", f.tune.max_seconds, "seconds of timing a finalist at most")
      .zero_or_more()
      .type_name("S");
  arguments.flag("--no-sanitizer", f.no_sanitizer, "judge finalists without compute-sanitizer");
  arguments.flag("--allow-in-process", f.allow_in_process,
                 "a finalist may win also where its own process had to be timed (GPU)");
  arguments.flag("--again", f.tune.again, "measure all of it although the store has it");
}

void add_result_flags(Arguments& arguments, TuneFlags& f) {
  arguments.option("--gpu", f.gpu, "lookup, --templates: this device instead of this machine's")
      .group("Results")
      .type_name("NAME");
  std::vector<std::string> runtimes = app::config_runtimes(), forms = {"json", "header", "kernel_tuner_t4"};
  forms.insert(forms.end(), runtimes.begin(), runtimes.end());
  arguments
      .option(
          "--to", f.to,
          "export: json; a C header, or every configuration as T4 results, of the newest result; files where "
          "vLLM or SGLang look for them; a list for Triton, Helion or cuTile")
      .one_of(forms)
      .group("Results")
      .type_name("FORM");
  arguments.option("--from", f.from, "import: configurations of this form instead of what the path suggests")
      .one_of(runtimes)
      .group("Results")
      .type_name("FORM");
  arguments
      .option("--out", f.out,
              "export: into this file or, of a tree, folder; with --plan: the folder of the plan")
      .group("Results")
      .type_name("FILE");
  arguments
      .option("--templates", f.templates,
              "print knobs that pay in kernels of this type, or of this task; of a matrix product also what "
              "nvMatmulHeuristics, where it is installed, expects at --shape on --gpu")
      .group("Results")
      .type_name("TYPE")
      .names_a("kernels");
  arguments
      .option("--knobs", f.knobs,
              "print the knobs that this source declares, else those that are found in it")
      .group("Results")
      .type_name("FILE");
}

}  // namespace explog::cli
