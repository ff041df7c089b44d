// A program of the harness that is one by itself, without an interpreter round it.
#include "entry.h"
#include "loaded.h"

namespace explog {

std::unique_ptr<Loaded> load_module(const std::string& path) {
  throw Failure("load_error", path + " is Python, and no interpreter runs here");
}

}  // namespace explog

int main(int count, char** words) { return explog_main(count, words); }
