// Where a report went, and what became of a site.
#pragma once
#include <string>

#include "answers/terminal.h"
#include "app/report/report.h"

namespace explog::answers {

void print_report(const Terminal& terminal, const app::Report& report, const std::string& file);
std::string report_json(const app::Report& report, const std::string& file);

void print_site(const Terminal& terminal, const app::SiteWritten& site);
std::string site_json(const app::SiteWritten& site);

}  // namespace explog::answers
