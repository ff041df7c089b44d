// Build tool: checks the strategy files named on the command line and writes a C++ source with their packed
// heads.
//   pack_playbook OUT.cpp strategies/*.md
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "model/packed_strategy.h"

int main(int argc, char** argv) {
  std::string all;
  bool good = argc > 1;
  for (int i = 2; i < argc; ++i) {
    std::filesystem::path path(argv[i]);
    if (path.filename() == "README.md") continue;
    std::ifstream in(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    try {
      all += explog::pack_strategy(explog::parse_strategy(path.filename().string(), text)) + "\n";
    } catch (const std::exception& e) {
      std::fprintf(stderr, "%s: %s\n", argv[i], e.what());
      good = false;
    }
  }
  if (!good) return 1;
  std::ofstream out(argv[1], std::ios::binary);
  out << "#include \"base/embedded.h\"\nstatic const unsigned char packed[] = {";
  for (unsigned char c : all) out << static_cast<int>(c) << ',';
  out << "0};\nstd::string_view explog::packed_playbook() { return {reinterpret_cast<const char*>(packed), "
      << all.size() << "}; }\n";
  return out.good() ? 0 : 1;
}
