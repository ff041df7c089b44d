#include "cli/glossary.h"

namespace explog::cli {
namespace {

constexpr Word glossary_words[] = {
    {"P",
     "the probability that a strategy makes the kernel of the question faster, with an 80% interval behind "
     "it; then how much faster, if it does."},
    {"good, fair, weak",
     "how much stands behind a P. good: many records of this kernel family close to the question; fair: "
     "some; weak: few, or from elsewhere. `prior only`: no record, the playbook's judgement alone."},
    {"signal",
     "a counter of the profile that says whether a strategy is worth trying. `its signal is not known here`: "
     "the question has no profile; give --ncu or --metrics and it counts."},
    {"family",
     "kernel types that are optimised alike: softmax and layernorm differ, matmul is gemm. `explog "
     "strategies --families`."},
    {"success, neutral, failure",
     "what an attempt showed: at least 2% faster with the interval above 1; within 2% or undecided; slower, "
     "wrong or not running."},
    {"level",
     "how a record is known: claimed (typed), imported (from a file), measured (by explog's own harness), "
     "replicated (measured again elsewhere). Higher levels weigh more."},
    {"KEEP, REVERT", "verdicts of bench: faster on a timed shape and slower on none; slower or not faster."},
    {"INCONCLUSIVE, CRASH", "the samples do not decide; the candidate did not compile, run or finish."},
    {"SOL",
     "speed of light: the share of what the GPU can do (bytes moved, arithmetic done) that the kernel "
     "reaches."},
    {"noise",
     "what the time of one and the same kernel varies by between blocks; a difference inside it is none."},
    {"memory, compute", "what bounds a kernel: the bandwidth of DRAM, or the arithmetic pipes."},
    {"latency, occupancy", "neither is busy: warps wait, or too few are there to hide the waiting."},
    {"origin",
     "one database that writes records, by a random id; a label (user@host) stands beside it. `explog trust` "
     "lists them."},
    {"trust",
     "what the records of an origin are here: blocked (do not count), unreviewed (count, text is not shown), "
     "team (text is shown too), self (this database), shipped (the records that come with explog)."},
    {"quarantined",
     "refused by sync: a part of a log whose signature, chain or form is wrong. Nothing of it counts; "
     "`explog trust review` says why."},
    {"deferred",
     "kept and handed on, but of a kind that this version does not know; a newer explog applies it."},
    {"ahead, behind", "events that a remote lacks, and events that it has and this database lacks."},
    {"retracted, erased",
     "taken back: it stays in the log and does not count; erased: its text is gone as well."},
    {"derived verdict",
     "a saved measurement is judged again by bench --from, without a GPU; it is never recorded."},
};

}  // namespace

std::span<const Word> glossary() { return glossary_words; }

}  // namespace explog::cli
