# What `ctest` runs. Labels: unit fault sync adversarial browser check gpu (ctest -L fault). A suite that cannot run here prints
# "skip WHAT: why" and ends with 77.
#   explog_suite(NAME LABEL SECONDS [ALONE] COMMAND...)   ALONE: nothing beside it, because it measures times or takes all cores
function(explog_suite name label seconds)
  set(command ${ARGN})
  list(FIND command ALONE alone)
  list(REMOVE_ITEM command ALONE)
  add_test(NAME ${name} COMMAND ${command} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT ${seconds} SKIP_RETURN_CODE 77)
  if(alone GREATER_EQUAL 0)
    set_tests_properties(${name} PROPERTIES RUN_SERIAL ON)
  endif()
endfunction()

set(root ${CMAKE_SOURCE_DIR})
set(program $<TARGET_FILE:explog>)
explog_suite(unit unit 900 explog_tests --source-file-exclude=*transcript_test.cpp)
explog_suite(transcripts unit 900 explog_tests --source-file=*transcript_test.cpp)
explog_suite(fault fault 900 ${root}/tests/fault/run ${program})
explog_suite(sync-postgres sync 900 ${root}/tests/sync/postgres ${program})
# The same histories each time; without --seed others.
explog_suite(sync-convergence sync 900 ${root}/tests/sync/convergence ${program} --seed 1)
explog_suite(cheats adversarial 1800 ${root}/tests/adversarial/run ${program} --part checks)
explog_suite(cheats-timed adversarial 1800 ALONE ${root}/tests/adversarial/run ${program} --part timings)
# The judge keeps no noise and no loss, and finds gains.
explog_suite(power adversarial 600 ALONE ${root}/scripts/perf/power ${program} 6 6)
# calibrate measures the host's ladders and its sweep and goes on where it stopped.
explog_suite(calibrate adversarial 600 ALONE ${root}/tests/calibrate/run ${program})
# The loop of versions, and what interrupts it.
explog_suite(campaign adversarial 600 ALONE ${root}/tests/campaign/run ${program})
# tune finds the best, keeps the original on noise and goes on where it was ended.
explog_suite(tune adversarial 900 ALONE ${root}/tests/tune/run ${program})
# Reports as a browser shows them.
explog_suite(browser browser 600 ALONE ${root}/tests/browser/run ${program})
# Two revisions of a repository: same, slower, faster, and what nobody can tell.
explog_suite(gate adversarial 900 ALONE ${root}/tests/gate/run ${program})
explog_suite(gpu gpu 3600 ALONE ${root}/scripts/gpu/test ${program})
explog_suite(completion check 60 ${root}/tests/completion/run ${program})
explog_suite(install check 60 ${root}/tests/install/run ${CMAKE_BINARY_DIR})
explog_suite(layers check 60 ${root}/scripts/check/layers)
explog_suite(budgets check 60 ${root}/scripts/check/budgets)
explog_suite(headers check 900 ALONE ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target header_check)
# Every step of every ladder, quickly; with --all as users compile them.
explog_suite(kernels check 1800 ALONE ${root}/scripts/check/kernels ${program})
# A cheat that does not compile tests the compiler.
explog_suite(fixtures check 600 ALONE ${root}/tests/adversarial/compile)
explog_suite(portable check 120 ${CMAKE_COMMAND} -S . -B ${CMAKE_BINARY_DIR}/portable-check -G Ninja
             -DEXPLOG_PORTABLE=ON -DEXPLOG_TESTS=OFF -Wno-dev --log-level=ERROR)
