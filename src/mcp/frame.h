// Lines of JSON-RPC 2.0, a message each: what one says, and the lines that answer it.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "model/json.h"

namespace explog::mcp {

constexpr std::size_t max_line = std::size_t{4} << 20;

// The numbers that JSON-RPC and the protocol give to errors.
enum class Fault {
  parse = -32700,
  invalid_request = -32600,
  unknown_method = -32601,
  invalid_params = -32602,
  internal = -32603,
  unsupported_version = -32022,
};

// Why a request is refused; `data` is JSON text or empty.
struct Refusal {
  Fault fault = Fault::internal;
  std::string message, data;
};

// What a line says. `id` is JSON text as it came, empty where nobody waits for an answer.
struct Frame {
  std::string id, method;
  Json params = Json::object();
  std::optional<Refusal> refusal;  // it cannot be followed
  bool ignored = false;            // an answer to a question that was never asked
};

Frame parse_frame(std::string_view line);

// Each is one line with its newline. `result` is a JSON object.
std::string result_line(const std::string& id, std::string_view result);
std::string error_line(const std::string& id, const Refusal& refusal);
std::string notification_line(std::string_view method, std::string_view params);

}  // namespace explog::mcp
