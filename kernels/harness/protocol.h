// What explog and its helper processes agree on, from the same source: schema/formats/runner.md, protocol 9.
#pragma once
#include <cstddef>

namespace explog::protocol {

// Said by both sides in `hello`; rises with every change of a command, an answer or a layout.
constexpr int number = 9;

// Descriptors of a helper process.
constexpr int commands_fd = 3, answers_fd = 4, inputs_fd = 5, outputs_fd = 6;

// Arms of the runner as commands name them. The empty kernel can be timed, and nothing else.
enum class RunnerArm { baseline, candidate, empty };

enum class Command {
  hello,
  load,
  shape,
  input,
  call,
  fetch,
  begin,
  sample,
  samples,
  go,
  end,
  burst,
  probe,
  profile
};
struct CommandRow {
  Command command;
  const char* name;
  int limit_s;  // within which the answer must come; longer under a tool
};
constexpr CommandRow commands[] = {
    {Command::hello, "hello", 60},      // PROTOCOL
    {Command::load, "load", 10},        // ARM PATH
    {Command::shape, "shape", 10},      // GUARD SETS DIM=VALUE... ARGUMENT...
    {Command::input, "input", 10},      // SET OFFSET BYTES
    {Command::call, "call", 10},        // ARM SET SEED OFFSET
    {Command::fetch, "fetch", 10},      // SET OFFSET
    {Command::begin, "begin", 10},      // ARM
    {Command::sample, "sample", 60},    // SET POISON [SEED]
    {Command::samples, "samples", 60},  // SET POISON SEED...
    {Command::go, "go", 60},            // SET
    {Command::end, "end", 60},          //
    {Command::burst, "burst", 60},      // ARM COUNT POISON
    {Command::probe, "probe", 10},      // ARM
    {Command::profile, "profile", 60}   // ARM METRIC...
};
constexpr int most_samples = 256;  // in one command, whose limit is so many times as long
constexpr const CommandRow& row(Command command) { return commands[static_cast<int>(command)]; }
constexpr int patience_under_a_tool = 20;        // factor of every limit
constexpr int patience_with_an_interpreter = 6;  // which imports libraries and compiles when it is called
constexpr int patience_with_a_compiler = 10;     // of load, beside that: C++ and CUDA are built there

// Words of failure that a helper process may say. All others of a verdict are the supervisor's: what a process says beside
// these is `protocol`.
constexpr const char* failure_words[] = {"launch_error", "out_of_memory", "load_error", "crash",
                                         "no_gpu",       "no_cupti",      "unprofiled", "protocol",
                                         "thread_left",  "reference",     "import"};

// The reference's commands: ROWS INPUT_OFFSET OUTPUT_OFFSET DIM=VALUE... ARGUMENT..., and of one in Python before it "load".
constexpr const char* reference_command = "case";
constexpr const char* reference_load = "load";
constexpr int reference_load_limit_s = 180;
constexpr int reference_limit_s = 600;

// Payloads begin at multiples of this in shared memory.
constexpr std::size_t alignment = 256;
constexpr std::size_t padded(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

// A slot: guard, 512 bytes more (a texture of linear memory may begin there, and no kernel may count on more), the
// padded payload, guard. With a guard of 0, which tools that check memory need, a slot is the payload alone.
constexpr std::size_t guard_bytes = 64 << 10;
constexpr std::size_t slot_alignment = 512;
constexpr std::size_t payload_offset(std::size_t guard) { return guard == 0 ? 0 : guard + slot_alignment; }
constexpr std::size_t slot_bytes(std::size_t guard, std::size_t payload) {
  return guard == 0 ? payload : payload_offset(guard) + padded(payload) + guard;
}

// Seed of a poison of ones alone: a NaN where nothing was written.
constexpr unsigned long long ones_poison = 0;

}  // namespace explog::protocol
