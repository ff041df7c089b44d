// What a kernel's code does to its elements, whatever it is called: what one regular expression cannot tell.
#pragma once
#include <string>

namespace explog::intake {

// Whether an element is written where its row and its column have changed places: of a matrix, or of a tile on its way.
bool exchanges_indices(const std::string& code);

}  // namespace explog::intake
