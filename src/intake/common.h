// What several readers share: naming a place in a file, whole-file JSON, kernel types, and reading loose
// text.
#pragma once
#include <istream>
#include <string>
#include <string_view>
#include <vector>

#include "intake/source.h"
#include "model/json.h"

namespace explog::intake {

// "stdin" for "-", else the path: the start of every `where`.
std::string shown_path(const std::string& path);
// The file's own name without folders and ".gz", as records name their source.
std::string file_name(const std::string& path);

// The file as text without a byte order mark. Throws Error(usage).
std::string read_text(const std::string& path, std::istream* in);
// What is wrong with a line of JSON, by its column: the parser counts lines from the line's own beginning.
std::string fault_of_line(const JsonError& e);
// Error(usage) for a file that cannot be taken as a whole: "FILE: WHY".
[[noreturn]] void refuse_file(const std::string& path, const std::string& why, const std::string& hint = "");
// The whole file as strictly checked JSON. Throws Error(usage) naming the file and the place.
Json read_json(const std::string& path, std::istream* in, size_t key_limit = max_json_keys);
Json json_in(const std::string& text, const std::string& path, size_t key_limit = max_json_keys);

// A source of records that are known already.
Source list_source(std::vector<Parsed> list);

// Canonical kernel type that a kernel's name speaks of ("fused_softmax_v2" -> softmax); a name that speaks of
// none is a type of its own.
std::string kernel_type_of(std::string_view kernel_name);

// What kernels on this GPU usually are, of tuners that do not speak of it: cuda on NVIDIA's cards, "" on others.
std::string usual_backend_on(const std::string& gpu);

// The value as a finite number: a JSON number, or text that is one.
std::optional<double> number_of(const Json& value);
// A member of an object, or null when there is none.
const Json& member(const Json& object, const char* name);
std::string text_of(const Json& value);  // "" unless it is text

// A value as JSON text in the one form records are written in.
std::string json_text(const Json& value);

// "128" -> 128, "true" -> true, else the text.
Scalar scalar_of(std::string_view text);

// A change as people write it: "tiling{tile-size=128, stages=2}" -> strategy and params; adds to `remarks`.
void read_change(std::string_view text, Experience& e, std::vector<std::string>& remarks);

}  // namespace explog::intake
