// What this machine is.
#pragma once
#include <string>

namespace explog {

std::string processor_name();  // "AMD EPYC 9654"; "processor" where the system does not say
std::string host_name();       // without its domain; "host" where it has none

}  // namespace explog
