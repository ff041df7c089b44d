#include "mcp/frame.h"

#include <cmath>

#include "base/text.h"

namespace explog::mcp {
namespace {

Frame refused(std::string id, Fault fault, std::string message) {
  Frame frame;
  frame.id = std::move(id);
  frame.refusal = Refusal{fault, std::move(message), ""};
  return frame;
}

// "" for a notification, nothing for what is no id.
std::optional<std::string> id_of(const Json& message) {
  auto id = message.find("id");
  if (id == message.end()) return "";
  if (id->is_string() || id->is_number_integer()) return id->dump();
  if (!id->is_number_float()) return std::nullopt;
  constexpr double beyond = 0x1p53;  // of the whole numbers that JSON readers agree on
  double number = id->get<double>();
  bool whole = number > -beyond && number < beyond && number == std::trunc(number);
  return whole ? std::optional(std::to_string(static_cast<std::int64_t>(number))) : std::nullopt;
}

Frame frame_of(const Json& message) {
  if (message.is_array()) return refused("", Fault::invalid_request, "batches are not supported");
  if (!message.is_object()) return refused("", Fault::invalid_request, "a message is a JSON object");
  auto id = id_of(message);
  if (!id) return refused("", Fault::invalid_request, "an id is a string or a whole number");
  auto version = message.find("jsonrpc");
  if (version == message.end() || *version != "2.0")
    return refused(*id, Fault::invalid_request, "jsonrpc must be \"2.0\"");
  auto method = message.find("method");
  Frame frame;
  frame.id = *id;
  if (method == message.end() && (message.contains("result") || message.contains("error"))) {
    frame.ignored = true;
    return frame;
  }
  if (method == message.end() || !method->is_string())
    return refused(*id, Fault::invalid_request, "method is missing");
  frame.method = method->get<std::string>();
  if (auto params = message.find("params"); params != message.end()) {
    if (!params->is_object()) return refused(*id, Fault::invalid_params, "params must be an object");
    frame.params = *params;
  }
  return frame;
}

}  // namespace

Frame parse_frame(std::string_view line) {
  if (line.size() > max_line)
    return refused("", Fault::invalid_request, "a message has at most 4 MiB; this one was skipped");
  try {
    return frame_of(parse_json(line));
  } catch (const JsonError& e) {
    return refused("", Fault::parse, "not JSON: " + printable(e.what()));
  }
}

std::string result_line(const std::string& id, std::string_view result) {
  JsonWriter json(result.size() + id.size() + 48);
  json.begin_object();
  json.field("jsonrpc", "2.0");
  json.key("id"), json.raw(id);
  json.key("result"), json.raw(result);
  json.end_object();
  return json.take() + '\n';
}

std::string error_line(const std::string& id, const Refusal& refusal) {
  JsonWriter json;
  json.begin_object();
  json.field("jsonrpc", "2.0");
  if (!id.empty()) json.key("id"), json.raw(id);
  json.key("error");
  json.begin_object();
  json.field("code", static_cast<int>(refusal.fault));
  json.field("message", refusal.message);
  if (!refusal.data.empty()) json.key("data"), json.raw(refusal.data);
  json.end_object();
  json.end_object();
  return json.take() + '\n';
}

std::string notification_line(std::string_view method, std::string_view params) {
  JsonWriter json;
  json.begin_object();
  json.field("jsonrpc", "2.0");
  json.field("method", method);
  json.key("params"), json.raw(params);
  json.end_object();
  return json.take() + '\n';
}

}  // namespace explog::mcp
