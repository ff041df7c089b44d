// The places that `sync` exchanges with, as text and as JSON.
#pragma once
#include <string>
#include <vector>

#include "answers/terminal.h"
#include "app/sync/remotes.h"

namespace explog::answers {

std::string remotes_json(const std::vector<store::RemoteRow>& remotes);
void print_remotes(const Terminal& terminal, const std::vector<store::RemoteRow>& remotes);

std::string added_remote_json(const app::AddedRemote& added);

}  // namespace explog::answers
