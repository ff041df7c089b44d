// What a kernel's code does to its elements, whatever it is called: what one regular expression cannot tell.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "model/question.h"

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

// Where neighbouring threads of a warp touch global memory a row or more apart, in C++: "A[row * K + k]", of an index that is
// threadIdx.x plus what all of them share, times something that is not a few elements. Empty where there is no such place.
std::string strided_access(const std::string& code);

// What signals of the playbook may ask of a source, so far "strided_access".
std::vector<Shown> what_is_shown(const std::string& code);

}  // namespace explog::intake
