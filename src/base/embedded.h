// Files compiled into the program: schema/*.sql, strategies/*.md, the skill of strategies/skill/, strategies/evidence/*.jsonl (.gz too), and of
// kernels/ every *.json, *.h, *.cuh, *.cpp, *.cu and *.py.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

namespace explog {

struct EmbeddedFile {
  std::string_view path;  // relative to the source tree: "schema/0001_store.sql"
  std::string_view text;
};

// All embedded files, sorted by path. The generated source defines it.
std::vector<EmbeddedFile> embedded_files();
// The text of one of them, or nothing.
std::optional<std::string_view> embedded_file(std::string_view path);

// The heads of the built-in strategies, checked and packed at build time, one a line
// (model/packed_strategy.h).
std::string_view packed_playbook();

}  // namespace explog
