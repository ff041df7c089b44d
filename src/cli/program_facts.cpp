#include "cli/program_facts.h"

namespace explog::cli {
namespace {

constexpr Fact codes[] = {{"0", "done; a match was found; verdict keep"},
                          {"1", "a negative answer: no match, check failed, verdict revert"},
                          {"2", "usage or input error"},
                          {"3", "the store is unusable"},
                          {"4", "not available here: no nvcc, no GPU, no permission"},
                          {"5", "remote failed: try again"},
                          {"6", "some records were refused"},
                          {"7", "verdict crash"},
                          {"8", "verdict inconclusive"},
                          {"75", "preempted: the same command goes on later"},
                          {"130", "interrupted"}};

constexpr Fact known_files[] = {
    {"$XDG_DATA_HOME/explog/explog.db",
     "the database, where neither --db nor EXPLOG_DB names another; else "
     "~/.local/share/explog/explog.db. Beside it lie its journal (-wal, -shm), "
     "a lock (.lock) and the key that signs its log (.key)."},
    {"$XDG_CACHE_HOME/explog/", "compiled kernels; it may be removed at any time."},
    {"DIR/strategies/*.md, DIR/kernels/*/task.json",
     "with --data DIR: strategies and tasks of your own, which win "
     "over the built-in ones of the same name."}};

constexpr Fact known_variables[] = {
    {"EXPLOG_DB", "the database"},
    {"EXPLOG_SHIPPED", "off: the records that come with explog are not put into a database that lacks them"},
    {"EXPLOG_LABEL", "what a new database calls itself to others, instead of user@host"},
    {"EXPLOG_CAMPAIGN", "the campaign's folder, where --out names none"},
    {"EXPLOG_NVCC", "the compiler of CUDA, instead of that on the PATH or in /usr/local/cuda"},
    {"EXPLOG_PYTHON", "the interpreter of kernels in Python, where --python names none"},
    {"EXPLOG_COMPILE_SECONDS", "after how many a compiler is stopped; 300 without it"},
    {"EXPLOG_DISABLE_TUNE, DISABLE_AUTOTUNE",
     "1: `tune lookup` answers with the constants that the kernel has"},
    {"EXPLOG_PASSWORD_COMMAND", "a command that prints the password of a PostgreSQL remote"},
    {"XDG_DATA_HOME, XDG_CACHE_HOME", "folders of the default database and of compiled kernels"},
    {"NO_COLOR", "no colours when set"}};

}  // namespace

std::span<const Fact> exit_codes() { return codes; }
std::span<const Fact> files() { return known_files; }
std::span<const Fact> variables() { return known_variables; }

}  // namespace explog::cli
