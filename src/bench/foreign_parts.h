// What importing any foreign task needs: names, element types, expressions, shapes, and the rest of a task.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/foreign_task.h"
#include "model/json.h"

namespace explog::bench {

// A member of an object, or null; its text, or nothing.
const Json& part(const Json& object, const char* name);
std::string text_of(const Json& value);
std::string text_at(const Json& object, const char* name);
// Throws Error(usage) naming what it is.
Json parsed_foreign(const std::string& text, const std::string& what);

// Throws Error(usage): no task of explog can say this.
[[noreturn]] void refuse_task(const std::string& why, const std::string& hint = "");

// "rmsnorm-h4096" -> rmsnorm_h4096, at most 64 letters.
std::string name_of(const std::string& text);
std::string first_line(const std::string& text);
// The family that the words speak of; "other" is noted as a guess.
std::string type_of(const std::string& op_type, const std::string& name, ForeignTask& made);
// "torch.bfloat16" and "bfloat16" alike; nothing for types that explog has not.
std::optional<Dtype> dtype_of_torch(std::string_view name);
// A Python expression over axes as SQLite's: // divides whole there as / does here; axes are written out.
std::string sql_of_python(const std::string& text, const std::map<std::string, std::string>& axes);
// At most `most` of the shapes are timed, the smallest, the largest and some between; small others are checked, whose
// sizes are multiples of what `multiples` says of a dimension.
void set_shapes(ForeignTask& made, const std::vector<Dims>& all, size_t most,
                const std::vector<std::pair<std::string, std::int64_t>>& multiples = {});
// The kernel is told its sizes: a dimension becomes an argument where no other has its name.
void add_dimension(Task& task, const std::string& dim);
// Distributions, work (where the task has none) and files that every imported task has: ref.py (`reference` and what makes explog find its
// function), the baseline. Throws Error(usage) when the whole is no task.
void finish(ForeignTask& made, const std::string& reference, const std::string& behind);

// A solution of this definition: its sources, and how it can be judged. Another one's is passed over.
void add_solution(const std::string& text, const std::string& name, ForeignTask& made);

}  // namespace explog::bench
