#include "launch/script.h"

#include <fmt/format.h>

#include "base/text.h"

namespace explog::launch {
namespace {

std::string lines_of(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += text + "\n";
  return all;
}

std::string words_of(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += " " + quoted(text);
  return all;
}

// Records of a node lie on its own disk: a database on a network file system would be damaged.
constexpr const char* local_database =
    R"sh(: "${EXPLOG_DB:=${TMPDIR:-/tmp}/explog-$(id -un)-@KEY@/$node.db}"
(umask 077; mkdir -p "${EXPLOG_DB%/*}")
export EXPLOG_DB EXPLOG_LABEL="${EXPLOG_LABEL:-$node}"
)sh";

// Waits for the worker; a signal ends a wait, not the worker.
constexpr const char* wait_for_worker = R"sh(wait $worker; code=$?
while kill -0 $worker 2>/dev/null; do wait $worker; code=$?; done
)sh";

constexpr const char* ssh_text = R"sh(#!/bin/bash
# explog launch ssh: works on the plan below with other hosts. `explog campaign status --out DIR` says where it stands.
# TERM or Ctrl-C ends the workers in order (exit code 75); the same script goes on later, with the same hosts or others.
set -u
plan=@PLAN@
program=@PROGRAM@
copy=.cache/explog/plans/@KEY@  # on a host that does not see the plan's folder
shards=@SHARDS@  # of all hosts together
options=(-o BatchMode=yes -o ConnectTimeout=15 -o ServerAliveInterval=15@PASS@)

# What a host runs: one worker. Its standard input ends when we do, and then the worker is told to end.
read -r -d '' worker <<'WORKER'
plan=$1 program=$2 node=$3 shard=$4 more=$5
@SETUP@@DATABASE@exec 4<&0
"$plan/$program" campaign resume --out "$plan" --shard "$shard" --node "$node" $more </dev/null & worker=$!
(cat <&4 >/dev/null; kill -TERM $worker 2>/dev/null) & watch=$!
@WAIT@kill $watch 2>/dev/null
exit $code
WORKER

on() {  # HOST WORDS...: a command there, with our lifeline as its standard input
  local host=$1; shift
  local word words=""
  for word; do words+="'${word//\'/\'\\\'\'}' "; done
  exec ssh "${options[@]}" "$host" "$words" <&9
}

one() {  # HOST SHARD
  if (on "$1" test -e "$plan/plan.json"); then
    on "$1" sh -c "$worker" sh "$plan" "$program" "$1" "$2" ""
  fi
  # This host gets a copy, works on its own part of it, and its results are fetched.
  tar -C "$plan" -cf - --exclude='./items/*/state-*' . |
    ssh "${options[@]}" "$1" "mkdir -p $copy && tar -C $copy -xf - --skip-old-files" || exit 5
  (on "$1" sh -c "$worker" sh "$copy" "$program" "$1" "$2" --only-shard) & local there=$! code
  trap 'kill $there' TERM
  wait $there; code=$?
  while kill -0 $there 2>/dev/null; do wait $there; code=$?; done
  ssh -n "${options[@]}" "$1" "tar -C $copy -cf - items log" | tar -C "$plan" -xf - --skip-old-files || exit 5
  exit $code
}

line=$(mktemp -u)
mkfifo -m 600 "$line" && exec 9<>"$line" && rm "$line"
trap 'stopped=1; kill $(jobs -p) 2>/dev/null' TERM INT
stopped="" k=0 worst=0 jobs=()
for host in@HOSTS@; do
  for ((i = 0; i < @EACH@; ++i)); do
    k=$((k + 1))
    one "$host" "$k/$shards" & jobs+=("$!:$host")
  done
done
for job in "${jobs[@]}"; do
  wait "${job%%:*}"; code=$?
  while kill -0 "${job%%:*}" 2>/dev/null; do wait "${job%%:*}"; code=$?; done
  [ $code = 0 ] || echo "explog launch: ${job#*:}: exit $code" >&2
  [ $code -gt $worst ] && worst=$code
done
[ -z "$stopped" ] || exit 75
exit $worst
)sh";

constexpr const char* slurm_text = R"sh(#!/bin/bash
#SBATCH --job-name=@NAME@
#SBATCH --array=1-@SHARDS@
#SBATCH --output=@PLAN_RAW@/slurm/%A_%a.out
#SBATCH --open-mode=append
#SBATCH --signal=TERM@120
#SBATCH --requeue
@PASS@# explog launch slurm: each job of the array is a worker on the plan below. `explog campaign status --out DIR` says where
# it stands. A worker that is told to end (time limit, preemption) does so in order with 75, and the job goes on later.
set -u
plan=@PLAN@
program=@PROGRAM@
node=${SLURMD_NODENAME:-$(hostname -s)}
@SETUP@@DATABASE@# A step of its own: scancel, preemption and --signal tell steps to end, and not this script.
srun --ntasks=1 --cpu-bind=none "$plan/$program" campaign resume --out "$plan" --shard "$SLURM_ARRAY_TASK_ID/@SHARDS@" --node "$node"
code=$?
[ $code = 75 ] || exit $code

# Preempted, or out of time. Somebody who cancelled the job meant it; where Slurm does not requeue, it is submitted again.
state=$(scontrol -o show job "$SLURM_JOB_ID" | sed -n 's/.* JobState=\([A-Z]*\).*/\1/p')
case $state in
  CANCELLED) ;;
  RUNNING) scontrol requeue "$SLURM_JOB_ID" || sbatch --array="$SLURM_ARRAY_TASK_ID" "$plan/launch.sbatch" ;;
  *) scontrol show config | grep -q 'PreemptMode.*REQUEUE' ||
       sbatch --array="$SLURM_ARRAY_TASK_ID" "$plan/launch.sbatch" ;;
esac
exit 75
)sh";

// @WORDS@ stand for what a job gives.
std::string filled(std::string text, const Job& job, std::size_t shards) {
  text = replace_all(std::move(text), "@DATABASE@", local_database);
  text = replace_all(std::move(text), "@WAIT@", wait_for_worker);
  text = replace_all(std::move(text), "@SHARDS@", std::to_string(shards));
  text = replace_all(std::move(text), "@KEY@", job.key);
  text = replace_all(std::move(text), "@PROGRAM@", quoted(job.program));
  text = replace_all(std::move(text), "@PLAN_RAW@", job.plan);
  text = replace_all(std::move(text), "@PLAN@", quoted(job.plan));
  return replace_all(std::move(text), "@SETUP@", lines_of(job.setup));
}

}  // namespace

std::string quoted(const std::string& text) {
  bool plain = !text.empty() && text.find_first_not_of(
                                    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                    "0123456789_-+=./:@%,") == std::string::npos;
  return plain ? text : "'" + replace_all(text, "'", R"('\'')") + "'";
}

std::string ssh_script(const Job& job) {
  std::string text = replace_all(ssh_text, "@EACH@", std::to_string(job.shards));
  text = replace_all(std::move(text), "@PASS@", words_of(job.pass));
  text = replace_all(std::move(text), "@HOSTS@", words_of(job.hosts));
  return filled(std::move(text), job, job.shards * job.hosts.size());
}

std::string slurm_script(const Job& job) {
  std::string pass;
  for (const std::string& option : job.pass) pass += "#SBATCH " + option + "\n";
  std::string text = replace_all(slurm_text, "@PASS@", pass);
  return filled(replace_all(std::move(text), "@NAME@", job.name), job, job.shards);
}

}  // namespace explog::launch
