// The Python interpreter that candidates and references written in Python run in: the user's own, with the packages
// that are installed for it.
#pragma once
#include <string>
#include <string_view>

namespace explog::bench {

// `said` (--python), else $EXPLOG_PYTHON, else $VIRTUAL_ENV/bin/python, else python3 on the PATH; an absolute path.
// Throws Error(unavailable) when what was said cannot be run, or when there is none.
std::string find_python(const std::string& said = "");

// Whether a file is Python by its ending.
bool is_python(std::string_view file);

// Whether a source in Python imports PyTorch.
bool uses_torch(std::string_view source);

}  // namespace explog::bench
