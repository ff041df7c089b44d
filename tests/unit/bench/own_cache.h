// A build cache of the test's own.
#pragma once
#include <cstdlib>

#include "scratch.h"

struct OwnCache {
  Scratch scratch;
  OwnCache() { setenv("XDG_CACHE_HOME", (scratch / "cache").c_str(), 1); }
  ~OwnCache() { unsetenv("XDG_CACHE_HOME"); }
};
