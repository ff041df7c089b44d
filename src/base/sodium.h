// libsodium, started: for hash.cpp and sign.cpp alone.
#pragma once
#include <sodium.h>

#include "base/error.h"

namespace explog {

inline void need_sodium() {
  static const int ready = sodium_init();
  if (ready < 0) throw Error(Exit::unavailable, "libsodium could not be started");
}

}  // namespace explog
