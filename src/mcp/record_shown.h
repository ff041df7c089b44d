// What of a record is shown to a model: names and numbers as they are, prose marked as data or left out.
#pragma once
#include <optional>
#include <string>

#include "model/experience.h"
#include "model/json.h"
#include "model/playbook.h"
#include "store/read.h"

namespace explog::mcp {

struct ShownRecord {
  const store::Record* record = nullptr;
  std::optional<Experience> experience;  // nothing for another kind of event, or one that cannot be read
};
ShownRecord shown(const store::Record& record, const Playbook& playbook);

// Fields that hold prose and are not empty.
std::vector<const Field*> prose_fields(const Experience& e);
bool tells_prose(const store::Record& record);  // its author is known here

// One line of names and numbers.
std::string record_line(const ShownRecord& shown);
// The same as an object: of every field with `whole`, else of those that the line has.
void write_record(JsonWriter& json, const ShownRecord& shown, bool whole);
void write_prose(JsonWriter& json, const ShownRecord& shown);

}  // namespace explog::mcp
