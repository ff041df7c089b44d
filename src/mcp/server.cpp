#include "mcp/server.h"

#include <csignal>
#include <filesystem>
#include <new>
#include <thread>
#include <vector>

#include "answers/problem.h"
#include "app/session/stop_signals.h"
#include "base/channel.h"
#include "base/error.h"
#include "base/text.h"
#include "mcp/connection.h"
#include "mcp/protocol.h"
#include "mcp/resources.h"
#include "mcp/tool.h"

namespace explog::mcp {
namespace {

constexpr int workers = 4;
constexpr std::size_t most_waiting = 1024;  // requests; then the client waits

struct Job {
  Frame frame;
  Era era = Era::handshake;
  std::shared_ptr<Pending> pending;
};

Answer failure(const Error& e) {
  std::string text = printable(e.what()) + "\n";
  if (!e.hint.empty()) text += "hint: " + printable(e.hint) + "\n";
  return {answers::error_json(e), text, true};
}

// What went wrong in a tool is an answer that the model can act on.
Answer run_tool(const Tool& tool, const Json& arguments, Call& call) {
  try {
    std::string wrong = misfit(arguments, tool.parameters());
    if (!wrong.empty()) throw Error(Exit::usage, std::string(tool.name) + ": " + wrong);
    return tool.run(arguments, call);
  } catch (const Error& e) {
    return failure(e);
  } catch (const JsonError& e) {
    return failure(Error(Exit::usage, e.what()));
  } catch (const std::bad_alloc&) {
    return failure(Error(Exit::store, "out of memory"));
  } catch (const std::filesystem::filesystem_error& e) {
    return failure(Error(Exit::unavailable, e.what()));
  }
}

class Server {
 public:
  Server(const ServeOptions& options, const app::Session& session, int out)
      : options_(options), session_(session), connection_(out), jobs_(most_waiting) {}

  void run(LineInput input) {
    std::vector<std::jthread> threads;
    for (int i = 0; i < workers; ++i)
      threads.emplace_back([this] {
        while (auto job = jobs_.pop()) answer(*job);
      });
    for (std::string line; !connection_.broken() && input.next(line);) {
      if (!trim(line).empty()) take(parse_frame(line));
    }
    leaving_ = true;  // who waits for a verdict hears that it is being judged
    jobs_.close();
  }

 private:
  void take(Frame frame) {
    if (frame.ignored) return;
    Job job;
    job.pending = std::make_shared<Pending>();
    job.pending->id = frame.id;
    if (frame.refusal) return refuse(job, *frame.refusal);
    if (frame.id.empty()) return notified(frame);
    if (auto refusal = agreement_.check(frame, job.era)) return refuse(job, *refusal);
    job.frame = std::move(frame);
    if (const Json* meta = entry(job.frame.params, "_meta")) {
      const Json* token = entry(*meta, "progressToken");
      if (token != nullptr && token->is_primitive()) job.pending->progress_token = token->dump();
    }
    if (!connection_.begin(job.pending))
      return refuse(job, {Fault::invalid_request, "a request of this id is under way", ""});
    if (job.frame.method == "tools/call" || job.frame.method.starts_with("resources/")) {
      jobs_.push(std::move(job));
    } else {
      answer(job);
    }
  }

  void notified(const Frame& frame) {
    if (frame.method != "notifications/cancelled") return;
    const Json* id = entry(frame.params, "requestId");
    if (id != nullptr && id->is_primitive()) connection_.cancel(id->dump());
  }

  void refuse(const Job& job, const Refusal& refusal) {
    connection_.send(error_line(job.pending->id, refusal));
  }

  void answer(const Job& job) {
    Keep keep = Keep::no;
    Reply reply = safe_reply_to(job, keep);
    if (reply.refusal) return connection_.finish(job.pending, error_line(job.pending->id, *reply.refusal));
    if (reply.result.empty()) return;  // it goes on
    connection_.finish(job.pending,
                       result_line(job.pending->id, finished(std::move(reply.result), job.era, keep)));
  }

  // Whatever goes wrong is said to the client, who asks on: the server does not end with it.
  Reply safe_reply_to(const Job& job, Keep& keep) try {
    return reply_to(job, keep);
  } catch (const std::exception& e) {
    return {"", Refusal{Fault::internal, printable(e.what()), ""}};
  }

  Reply reply_to(const Job& job, Keep& keep) {
    const std::string& method = job.frame.method;
    const Json& params = job.frame.params;
    if (method == "tools/call") return call_tool(job);
    if (job.era == Era::handshake) {
      if (method == "ping") return {"{}", std::nullopt};
      if (method == "initialize") return initialize(params);
    } else {
      if (method == "subscriptions/listen") return listen(job);
      keep = Keep::list;
      if (method == "server/discover") return {discovered(), std::nullopt};
    }
    keep = Keep::list;
    if (method == "tools/list") return list_tools(params);
    if (method == "resources/list") return list_resources(params, session_);
    if (method == "resources/templates/list") return list_templates(params);
    if (method == "resources/read") return read_resource(params, session_);
    if (method == "prompts/list") return list_prompts(params);
    keep = Keep::no;
    if (method == "prompts/get") return get_prompt(params);
    return {"", Refusal{Fault::unknown_method, "no such method: " + ellipsis(printable(method), 100), ""}};
  }

  Reply initialize(const Json& params) {
    Reply reply;
    reply.refusal = agreement_.initialize(params, reply.result);
    return reply;
  }

  Reply list_tools(const Json& params) const {
    if (entry(params, "cursor") != nullptr) return {"", Refusal{Fault::invalid_params, "no such cursor", ""}};
    return {tool_list(options_.judge), std::nullopt};
  }

  // Nothing here ever changes: the client hears that nothing will be told, and the request stays open until it cancels.
  Reply listen(const Job& job) {
    JsonWriter json;
    json.begin_object();
    json.key("_meta");
    json.begin_object();
    json.key(subscription_key), json.raw(job.pending->id);
    json.end_object();
    json.key("notifications"), json.begin_object(), json.end_object();
    json.end_object();
    connection_.send(notification_line("notifications/subscriptions/acknowledged", json.take()));
    return {};
  }

  Reply call_tool(const Job& job) {
    const Json* name = entry(job.frame.params, "name");
    const Json* given = entry(job.frame.params, "arguments");
    const Tool* tool = name != nullptr && name->is_string() ? find_tool(name->get<std::string>()) : nullptr;
    if (tool != nullptr && tool->runs_code && !options_.judge) tool = nullptr;
    if (tool == nullptr)
      return {"", Refusal{Fault::invalid_params, "no such tool; tools/list names them", ""}};
    if (given != nullptr && !given->is_object())
      return {"", Refusal{Fault::invalid_params, "arguments must be an object", ""}};
    const Json arguments = given != nullptr ? *given : Json::object();
    Call call;
    call.session = session_;
    call.may_run_code = options_.judge;
    call.session.warn = [&call](const std::string& note) { call.notes.push_back(note); };
    call.wanted = [this, &job] { return !leaving_ && !job.pending->cancelled && !connection_.broken(); };
    call.progress = [this, &job](const std::string& what) { tell_progress(*job.pending, what); };
    Answer answer = run_tool(*tool, arguments, call);
    for (const std::string& note : call.notes) answer.text += "note: " + printable(note) + "\n";
    bool full = arguments.contains("full") && arguments["full"] == true;
    return {tool_result(answer, full ? full_budget : usual_budget), std::nullopt};
  }

  void tell_progress(Pending& pending, const std::string& what) {
    if (pending.progress_token.empty() || pending.cancelled) return;
    JsonWriter json;
    json.begin_object();
    json.key("progressToken"), json.raw(pending.progress_token);
    json.field("progress", ++pending.told);
    json.field("message", what);
    json.end_object();
    connection_.send(notification_line("notifications/progress", json.take()));
  }

  ServeOptions options_;
  app::Session session_;
  Agreement agreement_;
  Connection connection_;
  Channel<Job> jobs_;
  std::atomic<bool> leaving_ = false;
};

}  // namespace

int serve(const ServeOptions& options, const app::Session& session, int in, int out) {
  app::StopSignals signals;
  sigset_t stopping, before;  // let in by the reader alone, while it waits
  sigemptyset(&stopping);
  sigaddset(&stopping, SIGTERM), sigaddset(&stopping, SIGINT);
  pthread_sigmask(SIG_BLOCK, &stopping, &before);
  {
    Server server(options, session, out);
    server.run(LineInput(in));
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return 0;
}

}  // namespace explog::mcp
