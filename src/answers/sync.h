// What a sync did, and how far remotes are ahead and behind, as text and as JSON.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "answers/terminal.h"
#include "app/sync/sync.h"

namespace explog::answers {

void print_sync(const Terminal& terminal, const app::RemoteSync& sync, bool dry_run);
// What was refused and why it failed, on the terminal's second stream.
void print_sync_problems(const Terminal& terminal, const app::RemoteSync& sync);
std::string sync_json(const std::vector<app::RemoteSync>& all);

void print_status(const Terminal& terminal, const app::RemoteStatus& status, std::int64_t now_ms);
std::string statuses_json(const std::vector<app::RemoteStatus>& all);

}  // namespace explog::answers
