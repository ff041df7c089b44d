// Tuning parameters of public kernels under the names records share.
#pragma once
#include <string>
#include <string_view>

namespace explog {

// "block_size_x" -> "block_x", "MWG" -> "wg_tile_m"; an unknown name in lower case.
std::string shared_parameter_name(std::string_view name);
// Whether the numbers of this parameter are names of variants, so that twice as much means nothing.
bool is_variant_number(std::string_view shared_name);

}  // namespace explog
