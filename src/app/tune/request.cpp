#include "app/tune/request.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/hash.h"
#include "base/machine.h"
#include "base/text.h"
#include "bench/harness/gpus.h"
#include "bench/harness/python.h"
#include "model/backend.h"
#include "model/cuda_knobs.h"

namespace explog::app {

using namespace bench;

namespace {

// Those that the source declares. What is only found in it is told.
DeclaredSpace knobs_of(const SourceFile& source, const Session& session) {
  DeclaredSpace declared = knobs_in_source(source.text, source.name);
  if (declared.knobs.empty() || !declared_in_source(source.text, source.name).knobs.empty()) return declared;
  std::string names;
  for (const DeclaredKnob& knob : declared.knobs) names += (names.empty() ? "" : ", ") + knob.name;
  session.warn(source.name + " declares no knobs; found in it: " + printable(names) +
               " (`explog tune --knobs FILE` shows values and places)");
  return declared;
}

// Those that nobody declared: they are named, and not used.
std::string constants_of(const SourceFile& source) {
  if (is_python(source.name)) return "";
  std::vector<std::string> names;
  for (const FoundConstant& c : found_in_cuda(source.text, source.name)) names.push_back(c.knob.name);
  return join(names, ", ");
}

DeclaredSpace declared_space(const TuneOptions& o, const SourceFile& source, const Session& session) {
  DeclaredSpace declared;
  if (o.space.empty())
    declared = knobs_of(source, session);
  else if (o.space.find('=') != std::string::npos)
    declared = declared_in_words(o.space, "--space");
  else
    declared = declared_in_json(session.read(o.space), o.space);
  for (const std::string& condition : o.where) declared.rules.push_back({"where", condition, "--where"});
  if (!declared.knobs.empty() || !o.controls.empty()) return declared;
  if (std::string found = constants_of(source); o.space.empty() && !found.empty())
    throw Error(Exit::usage, source.name + " declares no knobs; constants found in it: " + printable(found),
                "`explog tune --knobs FILE` prints them as lines to paste, and what else they need");
  throw Error(
      Exit::usage, o.space.empty() ? source.name + " declares no knobs" : o.space + " names no knobs",
      std::string("write `") + (is_python(source.name) ? "#" : "//") +
          " tune: BLOCK 128 256 512` into it, or say --space 'BLOCK=128,256,512'; --templates shows some");
}

// The source with all that it includes.
std::string whole_code(const SourceFile& source) {
  std::string code = source.text;
  for (const IncludedFile& file : included_files(source)) {
    if (!file.is_linked) code += "\n" + file.text;
  }
  return code;
}

// Of rows and parameters: what was searched.
std::string hash_of_rows(const TuneRequest& request) {
  std::string text = settings_text(request.space.original);
  for (const explog::Parameter& p : request.space.space.parameters) {
    text += ";" + p.name;
    for (const Scalar& value : p.values) text += "," + scalar_text(value);
  }
  for (const Configuration& row : request.rows.rows) {
    text += '\n';
    for (std::uint32_t number : row) text += std::to_string(number) + ",";
  }
  return hex(blake2b_128(text));
}

// One more knob, whose values stand for the files.
void add_controls(TuneRequest& request, const std::string& words) {
  const Toolchain& toolchain = request.files.toolchain;
  if (toolchain.row().compiler != Compiler::nvcc || toolchain.row().in_python)
    throw Error(Exit::usage, "--controls: " + toolchain.backend + " is not compiled by nvcc",
                "it is for CUDA sources");
  require_controls(toolchain.compiler, toolchain.version);
  request.controls = find_controls(words);
  explog::Parameter knob{std::string(controls_knob)};
  knob.number_of(0.0);
  for (const ControlFile& file : request.controls) knob.number_of(file.number);
  request.space.space.parameters.push_back(std::move(knob));
  request.space.original.emplace_back(controls_knob, 0.0);
}

std::string output_dtype(const Task& task) {
  for (const Argument& a : task.arguments) {
    if (a.is_output()) return std::string(dtype_name(a.dtype));
  }
  return "";
}

}  // namespace

std::vector<std::string> names_of(const Settings& settings) {
  std::vector<std::string> names;
  for (const auto& [name, value] : settings) names.push_back(name);
  return names;
}

std::string source_key(const SourceFile& source, const std::vector<std::string>& knobs) {
  SourceFile bare = source;
  bare.text = without_knob_values(source.text, source.name, knobs);
  return hash_of(bare);
}

std::string search_text(const tune::Plan& plan) {
  std::string text(word(plan.strategy));
  if (plan.most > 0) text += fmt::format(", at most {}", plan.most);
  bool seeded = plan.strategy != tune::Strategy::exhaustive && plan.strategy != tune::Strategy::predicted &&
                (plan.most > 0 || plan.strategy == tune::Strategy::halving);
  return seeded ? text + fmt::format(", seed {}", plan.seed) : text;
}

Dims largest_timed(const Task& task, const std::string& backend) {
  const std::vector<Dims>& timed = backend_of(task, backend).timed;
  return *std::max_element(timed.begin(), timed.end(),
                           [](const Dims& a, const Dims& b) { return volume(a) < volume(b); });
}

std::string device_model(const Toolchain& toolchain) {
  if (!toolchain.gpu_model.empty()) return toolchain.gpu_model;
  if (toolchain.row().on_gpu) return find_gpus().front().name;
  return processor_name();
}

std::string toolkit_text(const Toolchain& toolchain) {
  return toolchain.toolkit() + (toolchain.flags.empty() ? "" : " " + join(toolchain.flags, " "));
}

TuningKey key_of(const BenchNames& names, const FoundTask& found, const Toolchain& toolchain) {
  TuningKey key;
  key.task = found.task.name, key.task_hash = found.hash;
  key.kernel_type = found.task.kernel_type;
  key.kernel = printable(names.candidate.substr(names.candidate.rfind('/') + 1));
  key.dtype = output_dtype(found.task);
  key.backend = toolchain.backend;
  key.arch = toolchain.row().on_gpu ? toolchain.arch : "host";
  key.flags = join(toolchain.flags, " ");
  key.toolkit = toolchain.toolkit();
  return key;
}

TuneRequest read_tune_request(const TuneOptions& o, const Session& session) {
  TuneRequest request;
  request.files = read_request(o.names, session);
  const SourceFile& source = request.files.candidate;
  DeclaredSpace declared = declared_space(o, source, session);
  request.space = tuning_space(declared, whole_code(source), source.name);
  if (!o.controls.empty()) add_controls(request, o.controls);
  request.rows = tuning_rows(request.space, limits_of(request.files.toolchain.arch));
  request.space_hash = hash_of_rows(request);
  request.key = key_of(o.names, request.files.found, request.files.toolchain);
  request.key.gpu = device_model(request.files.toolchain);
  request.shapes = shapes_in(o.shapes, request.files.found.task, session);
  if (request.shapes.empty()) request.shapes = {largest_timed(request.files.found.task, request.key.backend)};
  request.key.source = source_key(source, names_of(request.space.original));
  return request;
}

}  // namespace explog::app
