// Files of advanced controls for nvcc, such as CompileIQ finds and NVIDIA's packs hold: opaque, of one toolkit and often of one
// kernel. In a search of configurations each is a value of one knob.
#pragma once
#include <string>
#include <vector>

#include "bench/harness/source_file.h"

namespace explog::bench {

// Its value is 0 for no file, else a number made from the content: the same file is the same configuration wherever it lies.
inline constexpr const char* controls_knob = "algo_controls";

struct ControlFile {
  std::string path;  // absolute
  double number = 0;
};

// A file, a folder (what ends with .acf or .ctl in it), or "FOLDER/*ENDING". Throws Error(usage) where there is none.
std::vector<ControlFile> find_controls(const std::string& words);
// Throws Error(unavailable) in one line where this nvcc has no --apply-controls.
void require_controls(const std::string& nvcc, const std::string& version);
// The source with the flags that its configuration asks for.
SourceFile with_controls(SourceFile source, const Settings& settings, const std::vector<ControlFile>& files);

}  // namespace explog::bench
