#include "intake/kernel_tuner.h"

#include <fmt/format.h>

#include <memory>

#include "base/text.h"
#include "intake/common.h"
#include "intake/kernel_tuner_cache.h"
#include "intake/measured_rows.h"
#include "model/arch.h"
#include "model/kernel_type.h"
#include "model/vocabulary.h"

namespace explog::intake {
namespace {

class KernelTunerReader {
 public:
  KernelTunerReader(const std::string& path, std::istream* in) : path_(path) {
    Mended mended = mend_tuner_cache(read_text(path, in));
    if (mended.closed) remarks_.emplace_back("the file was left open: its last brackets were added");
    if (mended.cut) remarks_.emplace_back("the last entry is cut off and left out");
    try {
      cache_ = parse_tuner_cache(mended.text);
    } catch (const JsonError& e) {
      refuse_file(path, std::string("not a Kernel Tuner cache: ") + printable(e.what()),
                  "give the file that was named with cache=");
    }
    kernel_type_ = cache_.kernel_name.empty() ? "" : kernel_type_of(cache_.kernel_name);
    arch_ = canonical_arch(cache_.device_name).value_or("");
    remark_contents();
  }

  std::optional<Parsed> next() {
    auto change = cache_.measured.next();
    if (!change && (count_ > 0 || told_)) return std::nullopt;
    Parsed parsed;
    parsed.remarks = std::exchange(remarks_, {});
    if (!change) {
      told_ = true;
      parsed.where = shown_path(path_);
      parsed.fault =
          "no two configurations that differ in one parameter, the first of them valid: nothing to compare";
      return parsed;
    }
    ++count_;
    parsed.where = fmt::format("{}:change {} (entry {})", shown_path(path_), count_, change->base + 1);
    parsed.experience = experience(*change);
    parsed.usual_backend = usual_backend_on(cache_.device_name);
    return parsed;
  }

 private:
  void remark_contents() {
    const MeasuredSpace& measured = cache_.measured;
    if (cache_.unusable > 0)
      remarks_.push_back(
          fmt::format("{} entries left out; the first is {}", cache_.unusable, cache_.first_unusable));
    if (measured.repeated() > 0)
      remarks_.push_back(
          fmt::format("{} entries repeat an earlier configuration and are left out", measured.repeated()));
    if (!kernel_type_.empty() && !is_known_kernel_type(kernel_type_)) {
      remarks_.push_back("kernel '" + printable(cache_.kernel_name) +
                         "' is of no known type: filed under its own name");
    }
    for (const Parameter& p : measured.space.parameters) {
      bool labels = p.kind == Parameter::Kind::fixed && p.values.size() > 1;
      if (labels)
        remarks_.push_back("parameter '" + printable(p.name) +
                           "' has too many variants to compare and is left as it is");
    }
  }

  Experience experience(const SingleChange& change) const {
    Experience e = experience_of(cache_.measured, change);
    e.kernel_type = kernel_type_;
    e.kernel = cache_.kernel_name;
    e.gpu = cache_.device_name;
    e.arch = arch_;
    e.backend = canonical(Vocabulary::backend, cache_.language).value_or("");
    e.shape = cache_.problem_size;
    e.source_before = fmt::format("{}/{}/{}", cache_.kernel_name, cache_.device_name, change.base);
    e.condition = timing("ms", "mean", "warm");
    e.source = "Kernel Tuner cache " + file_name(path_);
    return e;
  }

  std::string path_, kernel_type_, arch_;
  TunerCache cache_;
  std::vector<std::string> remarks_;  // for the first record
  size_t count_ = 0;
  bool told_ = false;
};

}  // namespace

Source kernel_tuner(const std::string& path, std::istream* in) {
  auto reader = std::make_shared<KernelTunerReader>(path, in);
  return [reader] { return reader->next(); };
}

bool looks_like_kernel_tuner(std::string_view head) {
  auto has = [&](const char* key) { return head.find(key) != std::string_view::npos; };
  return head[0] == '{' &&
         (has("\"tune_params_keys\"") || (has("\"tune_params\"") && has("\"kernel_name\"")));
}

}  // namespace explog::intake
