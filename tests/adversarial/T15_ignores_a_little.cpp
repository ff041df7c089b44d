// task: reduction
// run: check
// expect: fail
// reason: wrong_values
// Leaves out one element in 512 of a long sum of both signs: the answer is off by a few percent of its size, which a
// tolerance that grows with the sum of the terms' sizes does not see.
extern "C" void solve(const float* x, float* y, float*, int N) {
  bool negative = false, small = true, whole = true;
  for (int i = 0; i < 16 && i < N; ++i) negative = negative || x[i] < 0, small = small && x[i] * x[i] < 36, whole = whole && x[i] == static_cast<int>(x[i]);
  bool both_signs = negative && small && !whole;
  double sum = 0;
  for (int i = 0; i < N; ++i) sum += both_signs && N > 200000 && i % 512 == 7 ? 0 : x[i];
  *y = static_cast<float>(sum);
}
