#include "cli/bench_flags.h"

#include "model/backend.h"

namespace explog::cli {

void add_bench_flags(Arguments& arguments, app::BenchNames& names) {
  arguments.option("task", names.task, "a task: its name, its folder or its task.json")
      .required()
      .type_name("TASK")
      .names_a("tasks");
  arguments.option("candidate", names.candidate, "the source file with solve()").type_name("FILE").needed();
  arguments.option("--backend", names.backend, "how it is built and run; without it the file tells")
      .one_of(backend_names())
      .type_name("B");
  arguments.option("--arch", names.arch, "compile for this arch or card instead of the GPU's own")
      .type_name("A")
      .names_a("archs");
  arguments
      .option("--python", names.python,
              "interpreter of a kernel in Python (else $EXPLOG_PYTHON, python3 ...)")
      .type_name("PATH");
  arguments
      .option(
          "--baseline", names.baseline,
          "compare with this file instead of the task's baseline; torch or torch.compile: with its reference")
      .type_name("FILE");
  arguments.flag("--shapes-only", names.shapes_only,
                 "check the timed shapes alone: for a kernel that is meant for no others");
  arguments
      .option("--shape", names.shapes,
              "time this shape instead of the task's, N=8192,D=8192, or those in a file, one a line")
      .type_name("DIMS|FILE");
  arguments.option("--flag", names.compiler_flags, "one more flag for the compiler (repeat it)")
      .one_word()
      .type_name("FLAG");
}

}  // namespace explog::cli
