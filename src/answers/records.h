// Records that a search found: rows, whole records, or a page for people.
#pragma once
#include <cstddef>

#include "answers/rows.h"
#include "app/records/records.h"

namespace explog::answers {

// A row a record. Returns how many there were.
std::size_t print_record_rows(const Terminal& terminal, Format format, app::FoundRecords& found, int limit);
// Whole records with id and time in front: one JSON document, or with `lines` an object a line, as `import` reads them.
// Returns how many there were.
std::size_t print_records(const Terminal& terminal, app::FoundRecords& found, int limit, bool lines);
void print_nothing_found(const Terminal& terminal, app::FoundRecords& found);

// For `export`: a column a field, a Markdown page.
void print_record_csv(const Terminal& terminal, app::FoundRecords& found);
void print_record_page(const Terminal& terminal, const app::RecordPage& page);

}  // namespace explog::answers
