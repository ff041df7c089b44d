// From kernels that were looked at to their roofline.
#pragma once
#include <vector>

#include "diagnose/picture.h"
#include "diagnose/subject.h"

namespace explog::diagnose {

// The roofline of the last subject's GPU with every subject that does arithmetic in it.
Picture picture_of(const std::vector<Subject>& subjects);

}  // namespace explog::diagnose
