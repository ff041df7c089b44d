// Carries out a plan that the supervisor has checked. No host code of the candidate runs here.
#pragma once
#include <cuda.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "../plan.h"
#include "../runner/buffers.h"

namespace explog::replay {

// Throws Failure naming `what` when the driver says no.
void check(CUresult result, const std::string& what);

// Modules, workspaces, streams and events of a plan: the same for all sets of buffers.
class LoadedPlan {
 public:
  explicit LoadedPlan(plan::Plan p);
  ~LoadedPlan();
  LoadedPlan(const LoadedPlan&) = delete;
  LoadedPlan& operator=(const LoadedPlan&) = delete;

  const plan::Plan& planned() const { return plan_; }
  CUfunction function(const plan::Operation& launch) const;
  CUstream stream(std::uint32_t number) const;
  CUevent event(std::uint32_t number) const { return events_[number]; }
  char* workspace(std::uint32_t number) const { return workspaces_[number].at; }
  char* symbol(std::uint32_t number) const { return symbols_[number].at; }
  // What the image itself says of a variable; a copy on the device.
  const char* initial(std::uint32_t number) const { return symbols_[number].initial; }

 private:
  struct Workspace {
    char *base = nullptr, *at = nullptr;  // as allocated; with the low bits of the plan
  };
  struct Symbol {
    char *at = nullptr, *initial = nullptr;
  };
  void load_images();
  void find_symbols();
  void allocate(const plan::Workspace& w);
  void make_streams();

  plan::Plan plan_;
  std::vector<CUmodule> modules_;
  std::vector<Workspace> workspaces_;
  std::vector<Symbol> symbols_;
  std::vector<CUstream> streams_;
  std::vector<CUevent> events_;
};

// A plan with the addresses of one set of buffers.
class Bound {
 public:
  Bound(const LoadedPlan& loaded, const std::vector<Argument>& arguments, void** call);
  ~Bound();
  Bound(const Bound&) = delete;
  Bound& operator=(const Bound&) = delete;

  // Workspaces and variables as they were before the captured call. Not waited for.
  void restore();
  void play();
  // What the call returned, to where it belongs. Not waited for.
  void collect() const;

 private:
  struct Launch {
    CUlaunchConfig config{};
    CUfunction function = nullptr;
    std::vector<CUlaunchAttribute> attributes;
    std::vector<std::vector<char>> storage;  // of parameters, each aligned to 64 bytes
    std::vector<void*> parameters;
  };
  struct Step {
    const plan::Operation* operation = nullptr;
    CUstream stream = nullptr;
    std::unique_ptr<Launch> launch;
    CUgraphExec graph = nullptr;
    std::uint64_t to = 0, from = 0;
    std::string payload;
  };

  std::uint64_t address(const plan::Place& place) const;
  std::string patched(const plan::Data& data) const;
  void make_textures();
  void make_masters();
  char* master(std::uint32_t contents);
  Step step(const plan::Operation& o);
  std::unique_ptr<Launch> launch(const plan::Operation& o) const;
  CUgraphExec graph(const plan::Operation& o);
  CUgraphNode node(CUgraph graph, const plan::Operation& o);
  void play(const Step& s) const;
  static void copy_rows(const plan::Operation& o, std::uint64_t to, std::uint64_t from, CUstream stream);
  void set_memory(const Step& s) const;
  void host_wait(const plan::Operation& o) const;

  const LoadedPlan& loaded_;
  std::vector<std::uint64_t> arguments_;  // addresses; 0 for scalars
  std::vector<CUtexObject> textures_;
  std::vector<char*> workspace_masters_, symbol_masters_;  // on the device; nullptr: none
  std::vector<std::string> host_masters_;                  // of workspaces in host memory
  std::vector<char*> owned_;
  std::vector<Step> steps_;
  std::vector<std::unique_ptr<Launch>> node_launches_;
};

}  // namespace explog::replay
