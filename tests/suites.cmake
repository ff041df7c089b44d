# What `ctest` runs. Labels: unit fault sync adversarial python agents browser cluster check gpu (ctest -L fault). A suite that cannot run here prints
# "skip WHAT: why" and ends with 77.
#   explog_suite(NAME LABEL SECONDS [ALONE|WIDE|IDLE] COMMAND...)   SECONDS: its limit; longer ones begin first
# ALONE: nothing beside it, because it measures times. WIDE: takes all cores. Others take one core. IDLE: asks nothing but processor
# time, which it gets as suites of ALONE leave some. Both have labels beside their own, alone and idle, for scripts/test.
include(ProcessorCount)
ProcessorCount(CORES)
function(explog_suite name label seconds)
  cmake_parse_arguments(PARSE_ARGV 3 suite "ALONE;WIDE;IDLE" "" "")
  add_test(NAME ${name} COMMAND ${suite_UNPARSED_ARGUMENTS} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT ${seconds} COST ${seconds} SKIP_RETURN_CODE 77)
  if(suite_ALONE)
    set_tests_properties(${name} PROPERTIES RUN_SERIAL ON LABELS "${label};alone")
  elseif(suite_WIDE)
    set_tests_properties(${name} PROPERTIES PROCESSORS ${CORES})
  elseif(suite_IDLE)
    set_tests_properties(${name} PROPERTIES LABELS "${label};idle")
  endif()
endfunction()

set(root ${CMAKE_SOURCE_DIR})
set(program $<TARGET_FILE:explog>)
explog_suite(unit unit 900 explog_tests --source-file-exclude=*transcript_test.cpp)
explog_suite(transcripts unit 900 explog_tests --source-file=*transcript_test.cpp)
explog_suite(fault fault 900 ${root}/tests/fault/run ${program})
explog_suite(sync-postgres sync 900 ${root}/tests/sync/postgres ${program})
# The same histories each time; without --seed others.
explog_suite(sync-convergence sync 900 WIDE ${root}/tests/sync/convergence ${program} --seed 1 --histories 120)
explog_suite(cheats adversarial 1800 WIDE ${root}/tests/adversarial/run ${program} --part checks)
explog_suite(cheats-timed adversarial 1800 ALONE ${root}/tests/adversarial/run ${program} --part timings)
# The judge keeps no noise and no loss, and finds gains.
explog_suite(power adversarial 900 ALONE ${root}/scripts/perf/power ${program} 3 3)
# calibrate measures the host's ladders and its sweep and goes on where it stopped.
explog_suite(calibrate adversarial 600 ALONE ${root}/tests/calibrate/run ${program})
# The loop of versions, and what interrupts it.
explog_suite(campaign adversarial 1200 ALONE ${root}/tests/campaign/run ${program})
# The same for what is no kernel, with commands that hear of versions, and clocks by a stand-in.
explog_suite(campaign-trees adversarial 900 ${root}/tests/campaign/trees ${program})
explog_suite(campaign-programs adversarial 600 ${root}/tests/campaign/programs ${program})
# tune finds the best, keeps the original on noise and goes on where it was ended.
explog_suite(tune adversarial 900 ALONE ${root}/tests/tune/run ${program})
# What goes wrong with tuners, one test each; and a search that SIGKILL ends at thirty random moments.
explog_suite(tune-pitfalls adversarial 600 ALONE ${root}/tests/tune/pitfalls ${program})
explog_suite(tune-kills fault 900 ${root}/tests/tune/kills ${program})
# Files of compiler controls as a knob.
explog_suite(tune-controls adversarial 300 ${root}/tests/tune/controls ${program})
# A library of NVIDIA's that names configurations: what is done with its answers, and without them.
explog_suite(tune-heuristics python 300 ${root}/tests/tune/heuristics ${program})
# Candidates in Python, on the processor.
explog_suite(python-candidates python 900 ${root}/tests/python/candidates ${program})
# What --baseline torch runs, on the processor.
explog_suite(python-torch-baselines python 900 ${root}/tests/python/torch_baselines)
# References in Python: judged as those in C++ are, and their magnitudes held against those.
# Problems of other benchmarks that are written in Python.
explog_suite(python-problems python 600 ${root}/tests/python/problems ${program})
explog_suite(python-references python 900 ${root}/tests/python/references ${program})
explog_suite(python-magnitudes python 3600 IDLE ${root}/tests/python/magnitudes)
explog_suite(python-roundings python 3600 IDLE ${root}/tests/python/roundings)
# What agents use: the server, frame by frame and by the official client.
explog_suite(mcp agents 600 ALONE ${root}/tests/mcp/run ${program})
explog_suite(mcp-away agents 900 ${root}/tests/mcp/away ${program})
set_tests_properties(mcp-away PROPERTIES COST 3600)  # it sleeps for a minute and more: beside the others, not behind them
explog_suite(mcp-client agents 300 ALONE ${root}/tests/mcp/client ${program})
explog_suite(skill agents 300 ${root}/tests/skill/run ${program})
# Reports as a browser shows them.
explog_suite(browser browser 600 ALONE ${root}/tests/browser/run ${program})
# Two revisions of a repository: same, slower, faster, and what nobody can tell.
explog_suite(gate adversarial 900 ALONE ${root}/tests/gate/run ${program} timings)
explog_suite(gate-cases adversarial 900 ${root}/tests/gate/run ${program} cases)
# Many machines at one plan: workers of this host, a real sshd, a real Slurm; each skips where its engine is missing.
explog_suite(cluster-local cluster 600 ${root}/tests/cluster/run ${program} local)
explog_suite(cluster-ssh cluster 600 WIDE ${root}/tests/cluster/run ${program} ssh)
explog_suite(cluster-slurm cluster 900 WIDE ${root}/tests/cluster/run ${program} slurm)
# They wait for most of their time: at the beginning, not behind the others.
set_tests_properties(cluster-local cluster-ssh cluster-slurm PROPERTIES COST 3600)
explog_suite(gpu gpu 3600 ALONE ${root}/scripts/gpu/test ${program})
explog_suite(lint check 3600 IDLE ${root}/scripts/check/lint --jobs 1)
explog_suite(completion check 60 ${root}/tests/completion/run ${program})
explog_suite(install check 60 ${root}/tests/install/run ${CMAKE_BINARY_DIR})
# What users install; the wheel where the portable preset was built.
explog_suite(package check 600 ${root}/tests/package/run ${CMAKE_BINARY_DIR})
explog_suite(layers check 60 ${root}/scripts/check/layers)
explog_suite(budgets check 60 ${root}/scripts/check/budgets)
explog_suite(headers check 3600 IDLE ${root}/scripts/check/headers --jobs 1)
# Every step of every ladder, quickly; with --all as users compile them.
explog_suite(kernels check 3600 IDLE ${root}/scripts/check/kernels ${program} --jobs 1)
set_tests_properties(kernels PROPERTIES COST 7200)  # first: some of it ends after 20 s of the clock
# Every step in Triton, cuTile and CuTe DSL, for one of four archs each (scripts/setup python).
explog_suite(python-compile python 900 WIDE ${root}/tests/python/compile ${program})
# A cheat that does not compile tests the compiler.
explog_suite(fixtures check 3600 IDLE ${root}/tests/adversarial/compile --jobs 1)
explog_suite(portable check 120 ${CMAKE_COMMAND} -S . -B ${CMAKE_BINARY_DIR}/portable-check -G Ninja
             -DEXPLOG_PORTABLE=ON -DEXPLOG_TESTS=OFF -Wno-dev --log-level=ERROR)
