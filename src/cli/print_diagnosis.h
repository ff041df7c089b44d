// A diagnosis on standard output.
#pragma once
#include <string>
#include <vector>

#include "cli/context.h"
#include "diagnose/diagnose.h"
#include "diagnose/picture.h"
#include "model/json.h"

namespace explog::cli {

// One kernel that was looked at.
struct Subject {
  std::string role;  // before, after or empty
  Launch launch;
  std::size_t launches = 1;  // that it stands for
  std::size_t kernels = 1;   // launches of one call, of which it is the longest
  double time_share = 0;     // of all kernels' time; 0 unknown
  diagnose::Peaks peaks, nominal;
  diagnose::Diagnosis diagnosis;
};

void write_diagnosis(JsonWriter& json, const std::vector<Subject>& subjects, bool all_metrics);  // an array
void print_diagnosis(Context& context, const std::vector<Subject>& subjects, bool all_metrics);
diagnose::Picture picture_of(const std::vector<Subject>& subjects);
void print_picture(Context& context, const std::vector<Subject>& subjects);

}  // namespace explog::cli
