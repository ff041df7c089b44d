// Names of C++ as compilers write them into object files.
#pragma once
#include <string>

namespace explog {

// "softmax_registers<32, false>" of "_Z17softmax_registersILi32ELb0EEvPKfPfi": without result and parameters. What is no
// such name is returned as it is.
std::string function_name(const std::string& symbol);

}  // namespace explog
