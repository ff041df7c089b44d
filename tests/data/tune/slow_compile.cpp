// ENDLESS 1 keeps its compiler busy for longer than anybody waits.
// tune: ENDLESS 0 1 2
#ifndef ENDLESS
#define ENDLESS 0
#endif

template <int depth, long name>
struct Tree {
  static constexpr long value = Tree<depth - 1, 2 * name>::value + Tree<depth - 1, 2 * name + 1>::value;
};
template <long name>
struct Tree<0, name> {
  static constexpr long value = name;
};
#if ENDLESS == 1
constexpr long tree = Tree<40, 1>::value;
#else
constexpr long tree = Tree<4, 1>::value;
#endif

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i] * (tree == 0 ? 2 : 1);
}
