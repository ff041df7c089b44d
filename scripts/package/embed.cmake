# explog_embed(OUT NAME...): makes the C++ source OUT that defines explog::embedded_files(), the files NAME (relative to the
# source folder, or NAME=PATH of a file elsewhere) as they are on the disk. The assembler copies their bytes (.incbin), so no quoting rule can change them and
# no compiler has to read them as numbers. The source changes with the list of names only.
function(explog_embed out)
  set(data "")
  set(offsets "")
  set(names "")
  set(n 0)
  foreach(name ${ARGN})
    set(path ${CMAKE_SOURCE_DIR}/${name})
    if(name MATCHES "^([^=]*)=(.*)$")
      set(name ${CMAKE_MATCH_1})
      set(path ${CMAKE_MATCH_2})
    endif()
    string(APPEND data ".Lexplog_file_${n}:\n.incbin \"${path}\"\n.byte 0\n")
    string(APPEND offsets ".quad .Lexplog_file_${n} - explog_embedded\n")
    string(APPEND names "    \"${name}\",\n")
    list(APPEND paths ${path})
    math(EXPR n "${n} + 1")
  endforeach()
  file(CONFIGURE OUTPUT ${out} @ONLY CONTENT [=[
#include <cstdint>
#include <iterator>

#include "base/embedded.h"

// Each file is followed by a zero byte; explog_embedded_at holds where each begins and where the last one ends.
asm(R"(
.pushsection .rodata
.globl explog_embedded
explog_embedded:
@data@.Lexplog_file_@n@:
.balign 8
.globl explog_embedded_at
explog_embedded_at:
@offsets@.quad .Lexplog_file_@n@ - explog_embedded
.popsection
)");
extern "C" const char explog_embedded[];
extern "C" const std::uint64_t explog_embedded_at[];

namespace {
constexpr std::string_view names[] = {
@names@};
}  // namespace

std::vector<explog::EmbeddedFile> explog::embedded_files() {
  std::vector<EmbeddedFile> files;
  files.reserve(std::size(names));
  const std::uint64_t* at = explog_embedded_at;
  for (std::string_view name : names) {
    files.push_back({name, {explog_embedded + at[0], at[1] - at[0] - 1}});
    ++at;
  }
  return files;
}
]=])
  set_source_files_properties(${out} PROPERTIES OBJECT_DEPENDS "${paths}")
endfunction()
