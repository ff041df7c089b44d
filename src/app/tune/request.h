// What was asked of `tune`, read: the files, the space, and the key of its results.
#pragma once
#include "app/judge/shapes.h"
#include "app/tune/tune.h"
#include "bench/harness/compiler_controls.h"

namespace explog::app {

struct TuneRequest {
  BenchRequest files;  // candidate: the source as it stands
  TuningSpace space;
  TuningRows rows;
  std::string space_hash;
  std::vector<Dims> shapes;
  std::vector<bench::ControlFile> controls;
  TuningKey key;  // its shape is set for each shape in turn
};

// Throws Error(usage): no knobs, or wrong ones; Error(unavailable): no compiler, no GPU.
TuneRequest read_tune_request(const TuneOptions& options, const Session& session);

// All but the source's hash and the shape, of this machine. A toolkit that is not here is left empty.
TuningKey key_of(const BenchNames& names, const bench::FoundTask& found, const bench::Toolchain& toolchain);
// Of a source with these knobs.
std::string source_key(const bench::SourceFile& source, const std::vector<std::string>& knobs);
std::vector<std::string> names_of(const Settings& settings);

// "exhaustive"; "random, at most 20, seed 7".
std::string search_text(const tune::Plan& plan);
// The largest shape that the task times for a backend.
Dims largest_timed(const Task& task, const std::string& backend);
// The name by which records know the device of this machine.
std::string device_model(const bench::Toolchain& toolchain);
// "CUDA 13.0.88 -use_fast_math": flags make other code, and measurements have no field for them.
std::string toolkit_text(const bench::Toolchain& toolchain);

}  // namespace explog::app
