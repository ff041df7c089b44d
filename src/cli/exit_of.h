// The exit code for a remote that failed.
#pragma once
#include "base/error.h"
#include "sync/remote.h"

namespace explog::cli {

constexpr Exit exit_of(sync::Failure::Kind kind) {
  switch (kind) {
    case sync::Failure::Kind::refused:
      return Exit::unavailable;
    case sync::Failure::Kind::too_old:
      return Exit::store;
    case sync::Failure::Kind::misused:
      return Exit::usage;
    case sync::Failure::Kind::unreachable:
      break;
  }
  return Exit::remote;
}

}  // namespace explog::cli
