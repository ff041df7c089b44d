#include "base/machine.h"

#include <unistd.h>

#include <fstream>

namespace explog {

std::string processor_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "processor";
}

std::string host_name() {
  char host[256] = {};
  if (gethostname(host, sizeof host - 1) != 0) host[0] = '\0';
  std::string name(host);
  name = name.substr(0, name.find('.'));
  return name.empty() ? "host" : name;
}

}  // namespace explog
