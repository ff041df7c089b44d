// What a program or an agent needs to know, on one page made from the tables.
#pragma once
#include <ostream>

namespace explog::cli {

void print_agents_page(std::ostream& out);

}  // namespace explog::cli
