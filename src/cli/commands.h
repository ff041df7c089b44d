// The table of commands: help, README, completions and man page are made from it.
#pragma once
#include <CLI/CLI.hpp>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "cli/context.h"

namespace explog::cli {

using Action = std::function<int(Context&)>;  // returns the exit code

struct Command {
  std::string_view name;
  std::string_view form;           // what follows the name in the usage line
  std::string_view summary;        // one line
  Action (*setup)(CLI::App& app);  // declares the options, returns what to do with them
};

std::span<const Command> commands();
const Command* find_command(std::string_view name);

// The parser of one command, with the global flags; `context` receives them.
void add_global_flags(CLI::App& app, Context& context);

// One setup a command, each in its cmd_<name>.cpp.
Action setup_add(CLI::App& app);
Action setup_bench(CLI::App& app);
Action setup_calibrate(CLI::App& app);
Action setup_check(CLI::App& app);
Action setup_backtest(CLI::App& app);
Action setup_completion(CLI::App& app);
Action setup_diagnose(CLI::App& app);
Action setup_doctor(CLI::App& app);
Action setup_export(CLI::App& app);
Action setup_import(CLI::App& app);
Action setup_list(CLI::App& app);
Action setup_man(CLI::App& app);
Action setup_merge(CLI::App& app);
Action setup_query(CLI::App& app);
Action setup_recommend(CLI::App& app);
Action setup_redact(CLI::App& app);
Action setup_remote(CLI::App& app);
Action setup_retract(CLI::App& app);
Action setup_search(CLI::App& app);
Action setup_show(CLI::App& app);
Action setup_stats(CLI::App& app);
Action setup_strategies(CLI::App& app);
Action setup_sync(CLI::App& app);
Action setup_task(CLI::App& app);
Action setup_trust(CLI::App& app);

}  // namespace explog::cli
