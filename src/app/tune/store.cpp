#include "app/tune/store.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/records/records.h"
#include "app/session/names.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "model/backend.h"
#include "model/claim.h"
#include "model/json.h"

namespace explog::app {

using namespace bench;

namespace {

// Compilers may be missing where a result is only looked up: then any toolkit's will do.
Toolchain toolchain_or_none(const LookupOptions& o, const std::string& backend) {
  try {
    return find_toolchain(backend, arch_to_compile(o.names.arch), o.names.compiler_flags, o.names.python);
  } catch (const Error& e) {
    if (e.exit != Exit::unavailable) throw;
    Toolchain none;
    none.backend = backend;
    none.flags = o.names.compiler_flags;
    return none;
  }
}

bool is_disabled() {
  for (const char* name : {"DISABLE_AUTOTUNE", "EXPLOG_DISABLE_TUNE"}) {
    std::string value = env(name);
    if (!value.empty() && value != "0") return true;
  }
  return false;
}

// The values that the source itself gives its knobs; none where it declares none.
Settings original_of(const SourceFile& source) {
  DeclaredSpace declared = knobs_in_source(source.text, source.name);
  return declared.knobs.empty() ? Settings() : tuning_space(declared, source.text, source.name).original;
}

// All but the shape, and the content of the task.
bool same_kernel(const Tuned& t, const TuningKey& key, const SourceFile& source) {
  const TuningKey& has = t.key;
  return has.task == key.task && has.dtype == key.dtype && has.backend == key.backend && has.gpu == key.gpu &&
         has.flags == key.flags && (key.toolkit.empty() || has.toolkit == key.toolkit) &&
         has.source == source_key(source, names_of(t.original));
}

// How well a result fits: 4 this shape, 2 its bucket, one more for a search that was not cut; 0 not at all, as
// where nothing ran.
int fit_of(const Tuned& t, const TuningKey& key) {
  if (t.best_ms <= 0) return 0;
  int near = t.key.shape == key.shape ? 4 : bucket_of(t.key.shape) == bucket_of(key.shape) ? 2 : 0;
  return near == 0 ? 0 : near + (t.complete ? 1 : 0);
}

// Of a result that does not say of which version of the task it is, only where none says so of the one here.
void take_best(TuneLookup& lookup, std::vector<StoredTuned> results, const SourceFile& source) {
  constexpr int of_this_task = 10;  // more than any fit
  int best = 0;
  for (StoredTuned& stored : results) {
    const TuningKey& key = stored.tuned.key;
    if (!same_kernel(stored.tuned, lookup.key, source)) continue;
    const int fit = fit_of(stored.tuned, lookup.key);
    if (fit == 0 && stored.tuned.best_ms > 0 && !lookup.other_shape) lookup.other_shape = key.shape;
    if (fit == 0) continue;
    const bool unknown = key.task_hash.empty();
    if (!unknown && key.task_hash != lookup.key.task_hash) {
      lookup.other_task = true;
      continue;
    }
    const int rank = unknown ? fit : fit + of_this_task;
    if (rank <= best) continue;
    best = rank;
    lookup.source = fit >= 4 ? "tuned" : "bucket";
    lookup.found = std::move(stored);
  }
  if (!lookup.found) return;
  lookup.params = lookup.found->tuned.best;
  lookup.key.source = lookup.found->tuned.key.source;
}

Tuned tuned_in(const Json& result, const std::string& path, std::size_t number) {
  try {
    return parse_tuned(result.dump());
  } catch (const JsonError& e) {
    throw Error(Exit::usage, path + ": result " + std::to_string(number) + ": " + e.what(),
                "`explog tune export` writes such a file");
  }
}

Json results_in(const std::string& path, const Session& session) {
  try {
    Json file = parse_json(session.read(path));
    refuse_other_format(file, tuned_format);
    check_keys(file, {"format", "results"}, "a file of results");
    if (!file.contains("results") || !file["results"].is_array()) bad("\"results\" must be a list");
    return file["results"];
  } catch (const JsonError& e) {
    throw Error(Exit::usage, path + ": " + e.what(), "`explog tune export` writes such a file");
  }
}

}  // namespace

std::string record_tuned(const Tuned& tuned, const std::string& level, const Session& session) {
  Experience e = experience_of(tuned);
  e.level = level;
  Remarks remarks = prepare(e, level);
  if (remarks.refused) throw Error(Exit::usage, "not recorded: " + *remarks.refused);
  return session.writer().append({store::Draft::of(std::move(e))}).front().id.text();
}

std::vector<StoredTuned> stored_results(const std::string& task, const Session& session) {
  std::vector<StoredTuned> list;
  Session own = session;
  own.shipped = false;  // none of the records that ship is a result
  FoundRecords records("strategy:autotune", own);
  sql::Stmt rows = records.rows("id, at, body", 0);
  while (rows.step()) {
    try {
      auto tuned = tuned_of(parse_experience(rows.text(2)));
      if (!tuned || (!task.empty() && tuned->key.task != task)) continue;
      list.push_back({std::move(*tuned), std::string(rows.text(0)), std::string(rows.text(1))});
    } catch (const JsonError&) {  // a stranger's record
    }
  }
  return list;
}

TuneLookup look_up(const LookupOptions& o, const Session& session) {
  TuneLookup lookup;
  FoundTask found = find_task(o.names.task, session.data_dir);
  SourceFile source = find_source(o.names.candidate);
  std::string backend = backend_named_or_seen(o.names, found.task, source);
  if (is_disabled()) {
    lookup.source = "disabled";
    lookup.params = original_of(source);
    return lookup;
  }
  Toolchain toolchain = toolchain_or_none(o, backend);
  lookup.key = key_of(o.names, found, toolchain);
  lookup.key.gpu = o.gpu.empty() ? device_model(toolchain) : o.gpu;
  std::vector<Dims> shapes = shapes_in(o.shape, found.task, session);
  if (shapes.size() > 1) throw Error(Exit::usage, "tune lookup: name one shape", "--shapes M=512,N=512");
  lookup.key.shape = shapes.empty() ? largest_timed(found.task, backend) : shapes.front();
  take_best(lookup, stored_results(found.task.name, session), source);
  if (lookup.of_unknown_task())
    session.warn("measured before task versions were recorded: " + found.task.name +
                 " may have been another then; `explog tune` measures anew");
  return lookup;
}

std::string exported_json(const std::vector<StoredTuned>& results) {
  std::string text = "{\"format\":" + std::to_string(tuned_format) + ",\"results\":[";
  for (std::size_t i = 0; i < results.size(); ++i) text += (i > 0 ? ",\n" : "\n") + to_json(results[i].tuned);
  return text + "\n]}\n";
}

std::string exported_header(const Tuned& tuned) {
  const TuningKey& key = tuned.key;
  const std::string open = left_open(tuned);
  std::string text = "// " + printable(key.task + "/" + key.kernel) + ", " + dims_text(key.shape) + ", " +
                     printable(key.gpu + ", " + key.toolkit) + (open.empty() ? "" : ": " + open) +
                     ".\n// Written by `explog tune export --to header`: include it before the kernel.\n";
  for (const auto& [name, value] : tuned.best) text += "#define " + name + " " + scalar_text(value) + "\n";
  return text;
}

ImportedTuned import_results(const std::string& path, const Session& session) {
  Json results = results_in(path, session);
  std::vector<Tuned> list;
  for (const Json& result : results) list.push_back(tuned_in(result, path, list.size() + 1));
  std::vector<std::string> there;
  for (const StoredTuned& stored : stored_results("", session)) there.push_back(to_json(stored.tuned));
  ImportedTuned imported;
  for (const Tuned& tuned : list) {
    bool known = std::find(there.begin(), there.end(), to_json(tuned)) != there.end();
    ++(known ? imported.skipped : imported.added);
    if (!known) record_tuned(tuned, "imported", session);
    there.push_back(to_json(tuned));
  }
  return imported;
}

}  // namespace explog::app
