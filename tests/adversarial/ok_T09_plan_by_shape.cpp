// task: transpose
// run: check
// expect: pass
// reason: .*
// Honest: keeps a plan (the order of the tiles) for each shape it has seen; the plan holds no data of the
// inputs.
#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

extern "C" void solve(const float* x, float* y, int M, int N) {
  static std::map<std::pair<int, int>, std::vector<std::pair<int, int>>> plans;
  auto& plan = plans[{M, N}];
  if (plan.empty()) {
    for (int i = 0; i < M; i += 16)
      for (int j = 0; j < N; j += 16) plan.push_back({i, j});
  }
  for (auto [i0, j0] : plan)
    for (int j = j0; j < std::min(N, j0 + 16); ++j)
      for (int i = i0; i < std::min(M, i0 + 16); ++i)
        y[static_cast<size_t>(j) * M + i] = x[static_cast<size_t>(i) * N + j];
}
