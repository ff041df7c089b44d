// task: ./no_outputs.json
// run: check
// expect: fail|crash
// reason: no_outputs
// A task without an output: nothing would be compared, and nothing compared is no pass.
extern "C" void solve(const float*, int) {}
