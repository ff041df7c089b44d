// Asks libnvMatmulHeuristics, which is another's and is found at run time, for the configurations of a matrix product that
// it thinks best. In a process of its own: whatever that library does, explog goes on.
//   ask LIBRARY                                                            its version
//   ask LIBRARY GPU TARGET PRECISION LAYOUT M N K BATCH COUNT              and its candidates
// Prints "explog-heuristics " and a JSON object. Exit status 3: there is no such library; 4: it does not answer.
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

constexpr int no_library = 3, no_answer = 4, success = 1;
constexpr unsigned known_major = 0, known_minor = 1;

// As the library's interface lays them out.
struct Problem {
  std::uint32_t m, n, k, batch;
  std::uint8_t layout;
};
struct Configuration {
  std::uint16_t tile[3], warp[3], instruction[3], split_k;
  std::uint8_t stages, swizzle, order, cluster[2];
};
static_assert(sizeof(Problem) == 20 && sizeof(Configuration) == 26);

[[noreturn]] void end(int status, const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(status);
}

class Library {
 public:
  explicit Library(const char* path) : handle_(dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) end(no_library, dlerror());
    using Number = unsigned();
    major_ = find<Number>("nvMatmulHeuristicsGetVersionMajor")();
    minor_ = find<Number>("nvMatmulHeuristicsGetVersionMinor")();
    patch_ = find<Number>("nvMatmulHeuristicsGetVersionPatch")();
  }

  std::string version() const {
    return std::to_string(major_) + "." + std::to_string(minor_) + "." + std::to_string(patch_);
  }
  bool is_known() const { return major_ == known_major && minor_ == known_minor; }

  template <class F>
  F* find(const char* name) const {
    void* symbol = dlsym(handle_, name);
    if (symbol == nullptr) end(no_answer, std::string("it has no ") + name);
    return reinterpret_cast<F*>(symbol);
  }
  // Of a function that returns a status.
  void check(int status, const char* what) const {
    if (status == success) return;
    auto text = find<const char*(int)>("nvMatmulHeuristicsGetStatusString");
    end(no_answer, std::string(what) + ": " + text(status));
  }

 private:
  void* handle_;
  unsigned major_ = 0, minor_ = 0, patch_ = 0;
};

struct Question {
  int gpu, target;
  const char* precision;
  Problem problem;
  unsigned count;
};

void print(const Configuration& c, double seconds, bool first) {
  std::printf(
      R"(%s{"tile":[%u,%u,%u],"warp":[%u,%u,%u],"split_k":%u,"stages":%u,"swizzle":%u,"cluster":[%u,%u],)"
      R"("seconds":%.9g})",
      first ? "" : ",", c.tile[0], c.tile[1], c.tile[2], c.warp[0], c.warp[1], c.warp[2], c.split_k, c.stages,
      c.swizzle, c.cluster[0], c.cluster[1], seconds);
}

void print_candidates(const Library& library, const Question& q) {
  void *handle = nullptr, *hardware = nullptr;
  library.check(library.find<int(void**)>("nvMatmulHeuristicsCreate")(&handle), "it does not begin");
  library.check(library.find<int(void**)>("nvMatmulHeuristicsHardwareDescriptorCreate")(&hardware),
                "no descriptor");
  library.check(
      library.find<int(void*, int)>("nvMatmulHeuristicsHardwareDescriptorSetPredefinedGpu")(hardware, q.gpu),
      "it does not know the GPU");
  auto ask =
      library
          .find<unsigned(void*, const char*, unsigned, int, const Problem*, Configuration*, unsigned, void*)>(
              "nvMatmulHeuristicsGetGemmConfig");
  auto estimate = library.find<double(void*, const char*, int, const Problem*, const Configuration*, void*)>(
      "nvMatmulHeuristicsEstimateRuntime");
  std::vector<Configuration> found(q.count);
  unsigned n = ask(handle, q.precision, 0, q.target, &q.problem, found.data(), q.count, hardware);
  for (unsigned i = 0; i < n && i < q.count; ++i)
    print(found[i], estimate(handle, q.precision, q.target, &q.problem, &found[i], hardware), i == 0);
}

std::uint32_t number(const char* text) { return static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10)); }

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 && argc != 11) end(2, "usage: ask LIBRARY [GPU TARGET PRECISION LAYOUT M N K BATCH COUNT]");
  Library library(argv[1]);
  if (!library.is_known()) end(no_answer, "its version is " + library.version() + ", and only 0.1 is known");
  std::printf(R"(explog-heuristics {"format":1,"version":"%s","candidates":[)", library.version().c_str());
  if (argc == 11) {
    Problem problem = {number(argv[6]), number(argv[7]), number(argv[8]), number(argv[9]),
                       static_cast<std::uint8_t>(number(argv[5]))};
    print_candidates(library, {std::atoi(argv[2]), std::atoi(argv[3]), argv[4], problem, number(argv[10])});
  }
  std::printf("]}\n");
}
