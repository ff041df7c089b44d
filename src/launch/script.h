// The scripts by which a plan gets to other machines: plain text that a person can read and change. Pure.
#pragma once
#include <string>
#include <vector>

namespace explog::launch {

struct Job {
  std::string plan;                // the plan's folder, from the root
  std::string program;             // of this very version, from the plan's folder: bin/explog-...
  std::string name;                // what the engine calls it
  std::string key;                 // of the plan: names of what lies on other machines
  std::size_t shards = 1;          // ssh: workers a host; slurm: jobs
  std::vector<std::string> hosts;  // ssh
  std::vector<std::string> pass;   // options of ssh or sbatch, as they are
  std::vector<std::string> setup;  // lines before the worker, as they are: module load ...
};

std::string quoted(const std::string& text);  // one word of a shell
std::string ssh_script(const Job& job);
std::string slurm_script(const Job& job);

}  // namespace explog::launch
