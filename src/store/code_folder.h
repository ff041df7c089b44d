// Device code that was judged: a folder beside the database, a packed file for each text, named by the hash of the
// machine code. It is no part of the log: another machine has the hash and may have the text.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace explog::store {

class CodeFolder {
 public:
  // What may lie there together, the oldest goes first; and what a single text may have.
  static constexpr std::uintmax_t most_bytes = std::uintmax_t{256} << 20,
                                  longest_text = std::uintmax_t{32} << 20;

  explicit CodeFolder(const std::string& database, std::uintmax_t most = most_bytes);

  // `kind` is the file's ending: "ptx". What is there already, empty or too long is left out. Throws Error(store) where
  // nothing can be written.
  void keep(const std::string& hash, const std::string& kind, const std::string& text) const;
  // Nothing where it was never kept here, or went. Throws Error(usage) where it is damaged.
  std::optional<std::string> find(const std::string& hash, const std::string& kind) const;
  // All kinds of one code.
  void erase(const std::string& hash) const;

 private:
  std::string file(const std::string& hash, const std::string& kind) const;
  void prune() const;
  std::string folder_;
  std::uintmax_t most_;
};

// Whether a text of a record, which anybody may have written, can be such a name.
bool is_code_hash(const std::string& text);

}  // namespace explog::store
