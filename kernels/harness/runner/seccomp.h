// System calls that candidate code has no use for.
#pragma once

namespace explog {

// Refuses them for good, in all threads: looking into other processes, changing their limits, priority or place, signals
// to others, sockets, System V memory, io_uring, mounts, modules, clocks; on the host also files without a place in the
// file system and the rights of files. `on_gpu`: with what a driver needs; `under_tool`: with what a tool that looks on, such
// as compute-sanitizer, needs beside it. False where this kernel has no seccomp.
bool refuse_system_calls(bool on_gpu, bool under_tool);

}  // namespace explog
