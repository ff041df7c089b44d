// One sweep at one shape: configurations come in as built libraries and go out as measurements.
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/compiler_caches.h"
#include "bench/harness/compiler_controls.h"
#include "bench/quick.h"
#include "bench/sweep_source.h"
#include "model/measurement.h"

namespace explog::bench {

// All configurations of a sweep with what they are compared with; the same for every shape.
struct SweepWork {
  FoundTask task;
  Sweep sweep;
  SourceFile source;  // the sweep's kernel, its macros not yet set
  std::vector<Configuration> configurations;
  Binaries trusted;                        // reference and baseline
  MeasuredFile baseline;                   // the task's, which shows drift
  std::vector<ControlFile> controls = {};  // for the knob of this name

  Settings settings(std::size_t i) const { return settings_of(sweep.space, configurations[i]); }
  SourceFile configuration(std::size_t i) const {
    return with_controls(configured(source, settings(i)), settings(i), controls);
  }
};
// Throws Error(usage) when the task has no such backend, or reference or baseline do not compile.
SweepWork prepare_sweep(const FoundSweep& found, const FoundTask& task, const Toolchain& toolchain);

// Names and hashes of a configuration's measurement, before it is made.
Measurement named_measurement(const SweepWork& work, std::size_t configuration, const Dims& shape);

class SweepShape {
 public:
  SweepShape(const SweepWork& work, const Toolchain& toolchain, const Dims& shape);
  const Device& device() { return timed_.device(); }
  // Whether a compiler runs where a kernel is launched, for each shape anew.
  bool compiles_late() const;

  // Checks at an awkward shape, checks and times at this one. Where compilers run late the awkward shape has kernels of its
  // own, which say nothing about the timed ones: it is left to the judgement of the best.
  Measurement measure(std::size_t configuration, const Built& built);
  Measurement measure(std::size_t configuration);  // which it builds, or finds built
  // The next one to be measured, which is built or will be: what can be prepared beside the caller's work is.
  void begin(std::size_t configuration);
  // What late compilers make of these products is made now, side by side; nothing for others.
  void compile(std::span<const std::string> products, const std::function<bool()>& enough);

 private:
  std::string caches() const;  // the folder, or empty
  void check_and_time(Measurement& m, const Built& built);
  const SweepWork& work_;
  Toolchain toolchain_;
  Dims shape_;
  Builder builder_;
  std::unique_ptr<CompilerCaches> caches_;  // of candidates in Python
  std::unique_ptr<SweepCase> small_;
  SweepTimer timed_;
};

}  // namespace explog::bench
