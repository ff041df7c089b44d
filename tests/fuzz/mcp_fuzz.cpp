#include <nlohmann/json.hpp>

#include "broken.h"
#include "entry.h"
#include "mcp/protocol.h"
#include "mcp/resources.h"
#include "mcp/tool.h"
#include "targets.h"

namespace explog::fuzz {
namespace {

void must_be_a_line(const std::string& line) {
  if (line.empty() || line.find('\n') != line.size() - 1) broken("not one line", line);
  try {
    parse_json(line);
  } catch (const JsonError& e) {
    broken(e.what(), line);
  }
}

}  // namespace

// Whatever a client sends is followed, refused with one line of JSON, or ignored.
void fuzz_mcp(std::string_view data) {
  using namespace mcp;
  Agreement agreement;
  for (std::size_t begin = 0; begin < data.size();) {
    std::size_t end = std::min(data.find('\n', begin), data.size());
    Frame frame = parse_frame(data.substr(begin, end - begin));
    begin = end + 1;
    if (frame.refusal) must_be_a_line(error_line(frame.id, *frame.refusal));
    if (frame.refusal || frame.ignored || frame.id.empty()) continue;
    Era era = Era::handshake;
    if (auto refusal = agreement.check(frame, era)) {
      must_be_a_line(error_line(frame.id, *refusal));
      continue;
    }
    std::string answer = "{}";
    agreement.initialize(frame.params, answer);
    must_be_a_line(result_line(frame.id, finished(answer, era, Keep::list)));
    Reply prompt = get_prompt(frame.params);
    if (!prompt.refusal) must_be_a_line(result_line(frame.id, prompt.result));
    const Json* arguments = entry(frame.params, "arguments");
    if (arguments == nullptr || !arguments->is_object()) continue;
    for (const Tool& tool : tools()) {
      std::string wrong = misfit(*arguments, tool.parameters());
      must_be_a_line(result_line(frame.id, tool_result({R"({"format":1})", wrong, true}, usual_budget)));
    }
  }
}

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_mcp)
