// What a kernel's code does to its elements, whatever it is called: what one regular expression cannot tell.
#pragma once
#include <string>
#include <string_view>

namespace explog::intake {

// Whether an element is written where its row and its column have changed places: of a matrix, or of a tile on its way.
bool exchanges_indices(const std::string& code);

// layernorm or rmsnorm, of C++ that adds squares up and divides by the root of their sum: with the elements themselves added up
// or something taken away from each, or not. Else empty.
std::string_view norm_of(const std::string& code);

// gather or scatter, of C++ that reads an index from memory and then reads or writes there. Else empty.
std::string_view moved_by_index(const std::string& code);

// Whether each thread writes elements at its own index and nothing passes between threads: no loop but over such elements, no
// shared memory, no atomic operation; in Triton no reduction and no product.
bool is_elementwise(const std::string& code);

}  // namespace explog::intake
