// task: vector_add
// run: check
// expect: fail|crash
// reason: signature|compile_error|crash
// solve is a variable, not a function.
extern "C" {
int solve = 42;
}
