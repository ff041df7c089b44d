// task: reduction
// run: check
// expect: pass
// Honest: float sums of blocks, added up one after the other from the last to the first.
extern "C" void solve(const float* x, float* y, float*, int N) {
  float total = 0;
  for (int begin = (N - 1) / 256 * 256; begin >= 0; begin -= 256) {
    float sum = 0;
    for (int i = begin; i < N && i < begin + 256; ++i) sum += x[i];
    total += sum;
  }
  *y = total;
}
