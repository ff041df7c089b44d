// The two eras of the protocol: since 2026-07-28 every request says its version; before, a handshake did.
#pragma once
#include <optional>
#include <string>

#include "mcp/frame.h"

namespace explog::mcp {

constexpr std::string_view version_key = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view capabilities_key = "io.modelcontextprotocol/clientCapabilities";
constexpr std::string_view subscription_key = "io.modelcontextprotocol/subscriptionId";

enum class Era { modern, handshake };

// How a result may be kept by the client.
enum class Keep { no, list };

// What a connection has agreed on: nothing, since 2026-07-28.
class Agreement {
 public:
  // Why a request cannot be followed, or nothing; `era` receives its era.
  std::optional<Refusal> check(const Frame& request, Era& era) const;
  // The answer to `initialize`, or why there is none.
  std::optional<Refusal> initialize(const Json& params, std::string& answer);

 private:
  bool made_ = false;
};

std::string discovered();  // the answer to `server/discover`
// `result`, a JSON object, with what its era adds.
std::string finished(std::string result, Era era, Keep keep);
const Json* entry(const Json& object, std::string_view key);  // nullptr where there is none

}  // namespace explog::mcp
