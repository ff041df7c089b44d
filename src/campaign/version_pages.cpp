#include "campaign/version_pages.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "campaign/pages.h"

namespace explog::campaign {
namespace {

std::string md(std::string_view text) { return replace_all(printable(text), "|", "\\|"); }

std::string or_reason(const std::string& text, const std::string& reason) {
  return text.empty() ? "N/A - " + reason : md(text);
}

std::string field_table(const std::vector<std::pair<std::string, std::string>>& rows) {
  std::string text = "| Field | Value |\n|:--|:--|\n";
  for (const auto& [name, value] : rows) text += fmt::format("| {} | {} |\n", name, value);
  return text;
}

std::string_view status_of(const Found& f) { return f.there ? "OK" : f.needed ? "MISSING" : "not needed"; }

std::string list_of(const std::vector<Found>& found, bool needed) {
  std::string text;
  for (const Found& f : found)
    if (!f.there && f.needed == needed) text += "- " + md(f.name) + ": " + md(f.detail) + "\n";
  return text.empty() ? "None\n" : text;
}

std::string dims_of(const Judged& judged) {
  std::vector<std::string> shapes;
  for (const CheckedShape& s : judged.checked)
    if (s.timed) shapes.push_back(s.shape);
  auto hidden = judged.checked.size() - shapes.size();
  std::string text = join(shapes, "; ");
  if (hidden > 0) text += fmt::format("{}{} others", text.empty() ? "" : "; ", hidden);
  return text;
}

std::string judged_by(const Contract& c) {
  return c.external.given() ? "`" + md(c.external.check) + "`" : "task " + md(c.task);
}

std::string error_text(double max_abs) { return max_abs < 0 ? "not finite" : fmt::format("{:.3e}", max_abs); }

// Of a version that was judged before outputs were told apart: all of them in one.
std::vector<CheckedOutput> outputs_of(const CheckedShape& s) {
  if (!s.outputs.empty() || s.cases == 0) return s.outputs;
  return {{"outputs", "all", 0, s.passed ? 0 : 1, s.max_abs, ""}};
}

// Shapes that candidates are not told in one.
CheckedShape others_of(const Judged& judged) {
  CheckedShape others{"other shapes", false, 0, 0, true};
  for (const CheckedShape& s : judged.checked) {
    if (s.timed) continue;
    others.cases += s.cases, others.passed &= s.passed;
    std::vector<CheckedOutput> outputs = outputs_of(s);
    if (others.outputs.size() < outputs.size()) others.outputs.resize(outputs.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      CheckedOutput& to = others.outputs[i];
      to.name = outputs[i].name, to.type = outputs[i].type;
      to.compared += outputs[i].compared, to.bad += outputs[i].bad;
      to.max_abs = to.max_abs < 0 || outputs[i].max_abs < 0 ? -1 : std::max(to.max_abs, outputs[i].max_abs);
    }
  }
  return others;
}

std::string mismatches(const CheckedOutput& o, bool passed) {
  if (o.compared == 0 && passed) return "0";
  if (o.compared == 0 || (!passed && o.bad == 0)) return "see Result";
  std::string text = fmt::format("{}/{}", o.bad, o.compared);
  return o.first.empty() ? text : text + ", first " + md(o.first);
}

// One row for each output; where a shape failed by something else than elements, each of its outputs did.
std::string rows_of(const CheckedShape& s) {
  std::vector<CheckedOutput> outputs = outputs_of(s);
  bool named = std::any_of(outputs.begin(), outputs.end(), [](const CheckedOutput& o) { return o.bad > 0; });
  std::string text;
  for (const CheckedOutput& o : outputs) {
    bool passed = o.bad == 0 && (s.passed || named);
    text += fmt::format("| {} at {} | {} | {} | {} | N/A | N/A | {} |\n", md(o.name), md(s.shape), md(o.type),
                        passed ? "PASS" : "FAIL", error_text(o.max_abs), mismatches(o, passed));
  }
  return text;
}

// Sums of differences are not kept: elements are compared one by one where they were made.
std::string output_rows(const Judged& judged) {
  std::string text =
      "| Tensor | Type | Pass | Max \\|Δ\\| | Mean \\|Δ\\| | Mean Rel | Mismatches |\n"
      "|:--|:--|:--|--:|--:|--:|:--|\n";
  for (const CheckedShape& s : judged.checked) {
    if (s.timed) text += rows_of(s);
  }
  return text + rows_of(others_of(judged));
}

// Both columns of PyTorch time a reference that is a PyTorch program, on the GPU.
std::string why_no_torch(const Contract& c) {
  if (c.external.given()) return "it is no kernel";
  if (c.arch.empty()) return "no GPU, on which PyTorch would be timed";
  return "`explog campaign report --benchmark` does";
}

// What stands in the column of PyTorch, eager or compiled, for each shape of the best version.
class TorchColumn {
 public:
  TorchColumn(const Contract& c, const Version& best, std::string_view program)
      : found_(best.benchmark_with(program)),
        why_("not measured: " + (found_ != nullptr ? md(found_->reason) : why_no_torch(c))) {}

  bool measured() const { return found_ != nullptr && found_->reason.empty(); }
  const Faster& faster() const { return found_->faster; }
  const std::string& name() const { return found_->name; }
  const std::string& why() const { return why_; }
  std::string cell(const std::string& shape) const {
    if (!measured()) return why_;
    for (const ShapeResult& s : found_->shapes)
      if (s.shape == shape) return fmt::format("{:.6f} ms", s.parent_ms);
    return "N/A";
  }

 private:
  const Benchmarked* found_;
  std::string why_;
};

// Against the one that is harder to beat.
std::string torch_headline(const TorchColumn& eager, const TorchColumn& compiled) {
  if (!eager.measured() && !compiled.measured()) return compiled.why();
  bool by_compiled =
      compiled.measured() && (!eager.measured() || compiled.faster().factor < eager.faster().factor);
  const TorchColumn& harder = by_compiled ? compiled : eager;
  return faster_text(harder.faster()) + " (" + md(harder.name()) + ")";
}

}  // namespace

std::string env_check(const Contract& c, const std::vector<Found>& found) {
  bool ready = std::all_of(found.begin(), found.end(), [](const Found& f) { return f.there || !f.needed; });
  std::string text = fmt::format("# Environment check\n\n## Status\n\n{}\n\n", ready ? "READY" : "NOT READY");
  text += "## Requirements\n\n| Requirement | Status | Detail |\n|:--|:--|:--|\n";
  for (const Found& f : found)
    text +=
        fmt::format("| {} | {} | {} |\n", md(f.name), status_of(f), or_reason(f.detail, "nothing is known"));
  auto named = [&](const char* name) {
    for (const Found& f : found)
      if (f.name == name && f.there) return md(f.detail);
    return std::string("N/A - this campaign needs none");
  };
  text += fmt::format("\n## GPU\n\n- {}\n- Arch: {}\n", named("nvidia-smi"), or_reason(c.arch, "no GPU"));
  text += fmt::format(
      "- Clocks: {}\n",
      c.lock_clocks.empty() ? "not locked" : "locked to " + md(c.lock_clocks) + " while a version is judged");
  text += fmt::format("\n## Tools\n\n- explog {}\n- Backend: {}\n- Flags: {}\n", c.explog, c.backend,
                      or_reason(join(c.compiler_flags, " "), "none were given"));
  text += "\n## Environment variables\n\n";
  std::string variables;
  for (const Found& f : found)
    if (f.name.starts_with('$')) variables += "- " + md(f.name) + "=" + md(f.detail) + "\n";
  text += variables.empty() ? "None that matter are set\n" : variables;
  return text + "\n## Errors\n\n" + list_of(found, true) + "\n## Warnings\n\n" + list_of(found, false);
}

std::string correctness(const Contract& c, const Version& v) {
  const Judged& j = *v.judged;
  std::string result =
      j.correct ? "ALL PASS" : "FAILED - " + md(j.reason + ": " + j.detail.substr(0, j.detail.find('\n')));
  std::string text = fmt::format("# Correctness: v{}\n\n", v.proposal.version);
  text +=
      field_table({{"Kernel", md(v.proposal.file)},
                   {"Backend", md(c.backend)},
                   {"Reference", judged_by(c)},
                   {"GPU", or_reason(j.gpu, "it did not run")},
                   {"Arch", or_reason(j.arch, "no GPU")},
                   {"Dims", or_reason(dims_of(j), c.external.given() ? "no kernel" : "it did not run")},
                   {"Buf/ptr", c.external.given() ? "N/A - no kernel" : "as the task sizes each argument"},
                   {"Tolerance", c.external.given() ? "that of the command"
                                                    : "by element, from the task's rounding analysis"},
                   {"Result", result}});
  text += "\n## Output Tensors\n\n";
  text += j.checked.empty() ? "N/A - nothing was compared\n" : output_rows(j);
  return text + "\n## Value Previews\n\nN/A - outputs are compared where they are made, and not kept\n";
}

std::string benchmark(const Contract& c, const State& state) {
  const Version& best = state.versions[static_cast<std::size_t>(state.champion)];
  std::string text = fmt::format("# Benchmark: {}\n\n", md(c.task));
  if (!best.judged || best.judged->ms <= 0) return text + "N/A - the best version was not measured\n";
  const Judged& j = *best.judged;
  text += field_table({{"Solution", fmt::format("v{} ({})", state.champion, md(best.proposal.file))},
                       {"Reference", judged_by(c)},
                       {"Backend", md(c.backend)},
                       {"GPU", or_reason(j.gpu, "unknown")},
                       {"Correctness", j.correct ? "ALL PASS" : "FAILED"}});
  const TorchColumn eager(c, best, "torch"), compiled(c, best, "torch.compile");
  text +=
      "\n## Timing\n\n| Shape | Solution | Baseline | PyTorch eager | PyTorch compile "
      "|\n|:--|--:|--:|:--|:--|\n";
  const Judged& v0 = *state.versions[0].judged;
  const char* unit = c.external.given() ? "" : " ms";
  for (std::size_t i = 0; i < j.shapes.size(); ++i)
    text += fmt::format("| {} | {:.6f}{} | {} | {} | {} |\n", md(j.shapes[i].shape), j.shapes[i].ms, unit,
                        i < v0.shapes.size() ? fmt::format("{:.6f}{}", v0.shapes[i].ms, unit) : "N/A",
                        eager.cell(j.shapes[i].shape), compiled.cell(j.shapes[i].shape));
  text +=
      fmt::format("\nHeadline: {} of the baseline's speed; against the faster of both PyTorch columns {}\n",
                  state.champion == 0 ? "1x" : faster_text(j.than_baseline), torch_headline(eager, compiled));
  std::string counters = best.profile
                             ? fmt::format("v{}/ncu_summary.md, by {}", state.champion, md(best.profile->by))
                             : fmt::format("N/A - no counters were taken of v{}", state.champion);
  return text + "\n## Hardware Metrics\n\n" + counters + "\n";
}

}  // namespace explog::campaign
