#include "model/event.h"

namespace explog {

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::experience:
      return "experience";
    case Kind::measurement:
      return "measurement";
    case Kind::retract:
      return "retract";
    case Kind::replace:
      return "replace";
    case Kind::strategy_alias:
      return "strategy-alias";
    case Kind::device:
      return "device";
  }
  return "unknown";
}

}  // namespace explog
