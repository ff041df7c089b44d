// Shapes that the user names instead of the task's own.
#pragma once
#include <string>
#include <vector>

#include "app/session/session.h"
#include "model/task.h"

namespace explog::app {

// "M=512,N=512", or a file with such a line each; lines that begin with # are left out; none of an empty text. Each has a value
// for each dimension of the task, in its order. Throws Error(usage) naming the line.
std::vector<Dims> shapes_in(const std::string& words, const Task& task, const Session& session);

}  // namespace explog::app
