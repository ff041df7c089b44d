// task: vector_add
// run: check
// expect: crash
// reason: crash
// Runs out of stack.
static int deeper(volatile char* below) {
  volatile char room[4096];
  room[0] = *below;
  return deeper(room) + room[0];
}

extern "C" void solve(const float*, const float*, float* z, int) {
  volatile char first = 1;
  z[0] = static_cast<float>(deeper(&first));
}
