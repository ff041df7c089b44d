// A kernel's or reference's source on its way to an object file: preprocessed, which tells what it is made from, then
// compiled. What the preprocessor gave is the key of the product, so that no file that is included, however it is
// named, can change behind the cache.
#pragma once
#include <string>
#include <vector>

#include "bench/harness/build_folder.h"
#include "bench/harness/toolchain.h"

namespace explog::bench {

bool is_c(const SourceFile& source);  // C, not C++

// Paths of what nvcc made on the way; empty where there is none.
struct DeviceCodeFiles {
  std::string ptx, cubin;
};

class KernelObject {
 public:
  // Writes the source into `work`; `compile` is the compiler and its flags.
  KernelObject(const BuildFolder& work, const SourceFile& source, const Toolchain& toolchain,
               std::vector<std::string> compile);

  // Both: false when the compiler refuses, with its words in `log`.
  bool preprocess(std::string& log);
  bool compile(std::string& log);
  // Hash of all text that the compiler sees and of the files it came from; of the program's own sources nothing,
  // because those are hashed already.
  const std::string& preprocessed() const { return preprocessed_; }
  std::string path() const { return work_.at("source.o"); }
  // It, and behind it the objects and archives that the source names.
  std::vector<std::string> for_linker() const;
  // After compile(). Of several architectures the last.
  DeviceCodeFiles device_code() const;

 private:
  bool by_nvcc() const;
  bool run(std::vector<std::string> words, std::string& log);
  bool preprocess_once(const std::string& side, const std::string& to, std::string& log);
  std::string foreign_file() const;

  const BuildFolder& work_;
  const SourceFile& source_;
  const Toolchain& toolchain_;
  std::vector<std::string> compile_;
  std::string file_, text_, preprocessed_;
  std::vector<std::string> included_;  // files that the preprocessor read
  std::vector<std::string> linked_;
};

}  // namespace explog::bench
