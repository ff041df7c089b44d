// Compilers of all explog processes of this user on this machine, taken together.
#pragma once
#include <cstddef>
#include <memory>
#include <string>

#include "base/file.h"

namespace explog::bench {

// How many may work at once: as many as there are processors, less one for each NVIDIA GPU, which whoever times on it needs
// for its own; at least one.
std::size_t compile_slots();
// A local folder of this user's, for the locks.
std::string compile_slot_folder();

// Waits until one of `slots` is free; it is held while the object lives, and free when the process ends, however that happens.
// Nothing where no lock can be kept in `folder`: then nobody is kept from compiling.
std::unique_ptr<FileLock> take_compile_slot(const std::string& folder = compile_slot_folder(),
                                            std::size_t slots = compile_slots());

}  // namespace explog::bench
