// Adds two vectors; MODE changes the machine code and nothing else. What was best for it elsewhere is measured first here.
#ifndef MODE
#define MODE 4
#endif
// tune: MODE 0 2 4
extern "C" {
int mode_of_this = MODE;

void solve(const float* x, const float* y, float* z, int N) {
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
}
