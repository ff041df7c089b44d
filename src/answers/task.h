// Tasks, and a drafted one, as text and JSON.
#pragma once
#include <string>
#include <vector>

#include "answers/rows.h"
#include "answers/terminal.h"
#include "app/judge/draft_task.h"
#include "app/judge/import_task.h"

namespace explog::answers {

void print_tasks(RowPrinter& printer, const std::vector<Task>& tasks);
std::string drafted_json(const app::DraftedTask& drafted);
void print_drafted(const Terminal& terminal, const app::DraftedTask& drafted);
std::string imported_tasks_json(const app::ImportedTasks& imported);
void print_imported_tasks(const Terminal& terminal, const app::ImportedTasks& imported);

}  // namespace explog::answers
