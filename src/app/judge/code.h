// Device code of a record or a file: what was compiled, what is in it, and what differs between two.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "app/records/kept_code.h"
#include "app/session/session.h"

namespace explog::app {

struct CodeWanted {
  std::string
      what;  // a record's ID, the hash of kept code, or a file: .cu, .py, .cubin, .ptx, .sass, .ttgir, .tileir
  std::string arch;          // for a source
  std::string task, python;  // of a .py: whose shapes it is compiled for, and the interpreter
  std::vector<std::string> compiler_flags;
  bool before = false;  // of a record: the baseline's
};

struct NamedCode {
  std::string name;  // as a page calls it: "mine.cu for sm_90", "mine.cu of record 0a1b2c3d"
  SideCode side;
  std::string lack;  // one line on what could not be had here, such as SASS; empty: all is there
};
// Throws Error(usage) for what is neither, Error(negative) for a record whose code is not kept here.
NamedCode code_named(const CodeWanted& wanted, const Session& session);

// The text of --ir KIND; of an empty kind the first that is there. Throws Error(negative) where there is none.
std::string text_of_kind(const NamedCode& code, std::string_view kind);

struct CodeDifference {
  NamedCode before, after;
  bool equal = false;  // the same machine code
};
// Two things that are named, or of one record its baseline and itself.
CodeDifference code_difference(const std::vector<CodeWanted>& wanted, const Session& session);

}  // namespace explog::app
