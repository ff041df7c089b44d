// task: ./no_shapes.json
// run: check
// expect: fail|crash
// reason: no_shapes|no_outputs|.*
// A task without a shape: nothing would be run. The kernel writes nothing.
extern "C" void solve(const float*, float*, int) {}
