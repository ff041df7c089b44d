// Where a process of the harness begins: called by main.cpp, or by an interpreter that loaded the process as a library
// (../python/runner.py).
#pragma once

extern "C" int explog_main(int count, char** words);
