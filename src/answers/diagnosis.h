// What bounds a kernel, as text, JSON and a roofline.
#pragma once
#include <string>
#include <vector>

#include "answers/terminal.h"
#include "diagnose/picture_of.h"
#include "diagnose/subject.h"
#include "model/json.h"

namespace explog::answers {

using diagnose::Subject;

// `all_metrics`: those that were read, not only those that a record keeps.
void add_diagnosis(Lines& lines, const std::vector<Subject>& subjects, bool all_metrics);
void print_diagnosis(const Terminal& terminal, const std::vector<Subject>& subjects, bool all_metrics);
std::string diagnosis_json(const std::vector<Subject>& subjects, bool all_metrics);
void write_diagnosis(JsonWriter& json, const std::vector<Subject>& subjects, bool all_metrics);  // as a value

void print_picture(const Terminal& terminal, const std::vector<Subject>& subjects);

}  // namespace explog::answers
