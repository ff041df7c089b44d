// What a client can read: strategies of the playbook and tasks; and prompts for the loop.
#pragma once
#include <optional>
#include <string>

#include "app/session/session.h"
#include "mcp/frame.h"

namespace explog::mcp {

// Each is the result of the method, or why there is none. `params` are the request's.
struct Reply {
  std::string result;
  std::optional<Refusal> refusal;
};
Reply list_resources(const Json& params, const app::Session& session);
Reply list_templates(const Json& params);
Reply read_resource(const Json& params, const app::Session& session);
Reply list_prompts(const Json& params);
Reply get_prompt(const Json& params);

}  // namespace explog::mcp
