// What the axes of an nvbench benchmark mean.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "model/single_changes.h"

namespace explog::intake {

// size: part of the problem; label: a type or text, which is not changed either; tuning: what may be turned.
enum class AxisRole { size, label, tuning };

// By the flags ("pow2"), the type ("int64", "float64", "string", "type") and the name: N, Elements{io},
// NumInputs, ...
AxisRole role_of_axis(std::string_view name, std::string_view type, std::string_view flags);
// true for "on", "true", "yes", "1"; false for their opposites; nothing for other words.
std::optional<bool> switch_word(std::string_view word);
// Whether a label axis tells the element type: "T{ct}", "DataType".
bool names_element_type(std::string_view name);
// The name without "{ct}" and "{io}".
std::string plain_axis_name(std::string_view name);

}  // namespace explog::intake
