// The plan of the call that runs: driver calls become operations, addresses become places.
#pragma once
#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "addresses.h"
#include "images.h"

namespace explog::capture {

// A launch as the driver was asked for it.
struct LaunchWords {
  CUfunction function = nullptr;
  const char* symbol = nullptr;
  unsigned grid[3] = {}, block[3] = {}, shared = 0;
  void** parameters = nullptr;
  void** extra = nullptr;
  const CUlaunchAttribute* attributes = nullptr;
  unsigned attribute_count = 0;
};

// A node of a graph, with addresses as they were when it was made; they are looked up at each launch.
struct RawNode {
  CUgraphNode handle = nullptr;
  plan::Operation operation;
  std::vector<std::string> parameters;  // of a launch
  std::uint64_t to = 0, from = 0;       // of copies and memsets
  CUfunction function = nullptr;
  std::string trouble;  // what a plan has no word for
};
struct RawGraph {
  std::vector<RawNode> nodes;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
};

class Recording {
 public:
  Recording(Addresses& addresses, Images& images) : addresses_(addresses), images_(images) {}

  // begin() reads what memory holds now; end() gives the plan.
  void begin(int call);
  plan::Plan end();
  bool on() const { return on_; }
  int call() const { return call_; }
  void returned() { returned_ = true; }  // solve() has: what comes now is late

  // Something that a plan has no word for.
  void unknown(const std::string& what);
  void add(plan::Operation o);

  plan::Operation launch(const LaunchWords& words, std::uint32_t stream);
  void graph(const RawGraph& raw, std::uint32_t stream);
  // The same without a plan: what a graph will launch.
  RawNode node(const LaunchWords& words);

  // What the call has returned instead of writing it.
  void result(std::uint64_t to, std::uint64_t from, std::uint64_t bytes);

  plan::Place place(std::uint64_t address);
  std::uint32_t data(const void* bytes, std::size_t size, bool parameter);
  std::uint32_t stream(CUstream handle, bool per_thread);
  std::uint32_t event(CUevent handle);

  void tensor_map(const void* map, std::uint64_t address);
  void texture(CUtexObject object, const CUDA_RESOURCE_DESC& resource, const CUDA_TEXTURE_DESC& how);
  void context_limit(std::uint32_t which, std::uint64_t value);

 private:
  struct TensorMap {
    std::string bytes;
    std::uint64_t address = 0;
  };
  struct TextureObject {
    plan::Texture words;
    std::uint64_t address = 0;
    std::string trouble;
  };

  static plan::Operation bare_launch(const LaunchWords& words, const Kernel& kernel, std::string& trouble);
  static std::vector<const char*> parameters_of(const LaunchWords& words, const Kernel& kernel,
                                                std::string& trouble);
  static void add_attribute(plan::Operation& o, const CUlaunchAttribute& a, std::string& trouble);
  std::uint32_t image(const Kernel& kernel);
  std::uint32_t number(const Found& found);
  bool fix(std::uint64_t address, bool alone, plan::Place& place);
  bool fix_map(plan::Data& d, std::size_t at);
  bool fix_texture(plan::Data& d, std::uint64_t value);
  void unseen_memory(std::uint64_t address);
  void read_state();
  void keep_state();
  std::uint32_t kept(const std::optional<std::string>& before, std::uint64_t& sum, std::uint64_t bytes);

  Addresses& addresses_;
  Images& images_;
  std::vector<TensorMap> maps_;
  std::map<CUtexObject, TextureObject> textures_;
  std::vector<plan::Limit> limits_;
  bool on_ = false, returned_ = false;
  int call_ = -1;
  plan::Plan plan_;
  // Numbers in the plan, by what this process calls them.
  std::map<std::size_t, std::uint32_t> image_numbers_, workspace_numbers_, first_symbols_;
  std::vector<std::size_t> workspaces_, symbol_images_;
  std::map<CUstream, std::uint32_t> streams_;
  std::map<CUevent, std::uint32_t> events_;
  std::map<CUtexObject, std::uint32_t> texture_numbers_;
};

}  // namespace explog::capture
