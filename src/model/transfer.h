// A configuration of another kernel, of another backend perhaps, in the knobs of a space: a candidate, never an answer.
#pragma once
#include <string>
#include <vector>

#include "model/space.h"

namespace explog {

struct Transferred {
  Configuration row;               // what has no counterpart as in the original
  Settings taken, no_counterpart;  // by their names there
  Settings moved;                  // those of `taken` whose value the space does not list
};

// Knobs are matched by name, then by the name that records share, then by what they mean in Triton, cuTile and CuTe DSL:
// BLOCK_SIZE_M, BLOCK_M and TILE_SIZE_M; GROUP_SIZE_M and a swizzle's group. num_warps, num_stages and maxnreg are
// Triton's alone, occupancy is cuTile's. A value that the space does not list becomes the nearest one that it does.
Transferred transferred(const Settings& from, const Space& to, const Configuration& original);

}  // namespace explog
