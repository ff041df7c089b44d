// The table of commands: help, README, completions and man page are made from it.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.h"
#include "cli/context.h"

namespace explog::cli {

using Action = std::function<int(Context&)>;  // returns the exit code

struct Command {
  std::string_view name;
  std::string_view form;                  // what follows the name in the usage line
  std::string_view summary;               // one line
  Action (*setup)(Arguments& arguments);  // declares the options, returns what to do with them
};

std::span<const Command> commands();
const Command* find_command(std::string_view name);

// The parser of one command, with the global flags; `context` receives them.
void add_global_flags(Arguments& arguments, Context& context);
constexpr const char* global_group = "Global";
std::vector<OptionInfo> global_options();

// One setup a command, each in its cmd_<name>.cpp.
Action setup_add(Arguments& arguments);
Action setup_advise(Arguments& arguments);
Action setup_bench(Arguments& arguments);
Action setup_calibrate(Arguments& arguments);
Action setup_campaign(Arguments& arguments);
Action setup_check(Arguments& arguments);
Action setup_backtest(Arguments& arguments);
Action setup_code(Arguments& arguments);
Action setup_completion(Arguments& arguments);
Action setup_diagnose(Arguments& arguments);
Action setup_doctor(Arguments& arguments);
Action setup_export(Arguments& arguments);
Action setup_gate(Arguments& arguments);
Action setup_import(Arguments& arguments);
Action setup_launch(Arguments& arguments);
Action setup_list(Arguments& arguments);
Action setup_man(Arguments& arguments);
Action setup_mcp(Arguments& arguments);
Action setup_merge(Arguments& arguments);
Action setup_query(Arguments& arguments);
Action setup_recommend(Arguments& arguments);
Action setup_redact(Arguments& arguments);
Action setup_remote(Arguments& arguments);
Action setup_report(Arguments& arguments);
Action setup_retract(Arguments& arguments);
Action setup_search(Arguments& arguments);
Action setup_show(Arguments& arguments);
Action setup_skill(Arguments& arguments);
Action setup_stats(Arguments& arguments);
Action setup_strategies(Arguments& arguments);
Action setup_sync(Arguments& arguments);
Action setup_task(Arguments& arguments);
Action setup_trust(Arguments& arguments);
Action setup_tune(Arguments& arguments);

}  // namespace explog::cli
