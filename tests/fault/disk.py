"""No space left (F4), as a limit on file size, as a write that fails, and as a small file system."""
import resource
import signal

from harness import RECORD, expect, expect_clear, lines, need_program, Skip
from kills import Snapshot, calls_of, strace


def limit_file_size(limit):
    def apply():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return apply


def disk_full_limit(case):
    """F4: `ulimit -f` reached while adding: exit 3 in one line, the database as before; a retry works."""
    known = case.add(2)
    path = case.file("records.jsonl", lines(3000))
    for limit in (1 << 10, 40 << 10, 200 << 10, 1 << 20):
        outcome = case.run("add", "--jsonl", path, "--idempotency-key", "k", preexec_fn=limit_file_size(limit))
        expect_clear(outcome, [3], "full|I/O error")
        expect(case.ids() == [one.replace("-", "") for one in known], "something of the failed add is stored")
        case.expect_sound()
    case.succeed("add", "--jsonl", path, "--idempotency-key", "k")
    case.expect_sound()
    expect(len(case.ids()) == 3002, f"{len(case.ids())} records of 3002 after the retry")
    return "4 sizes; one line, nothing half stored, the retry stores all"


def disk_full_write(case):
    """F4: every write from the n-th on fails with ENOSPC: a refusal in one line, or a stored record."""
    known = case.add(2)
    snapshot = Snapshot(case)
    count = calls_of(case, ["add", *RECORD])["pwrite64"]
    refused = 0
    for n in range(1, count + 1):
        snapshot.restore()
        outcome = case.run("add", *RECORD, wrap=strace(case, "pwrite64", "error=ENOSPC", f"{n}+"))
        if outcome.code != 0:
            expect_clear(outcome, [3], "hint: the disk is full")
            expect(outcome.out == "", f"an id in spite of the full disk: {outcome}")
            refused += 1
        case.expect_ids(known + outcome.out.split())
        case.expect_sound()
        case.expect_ids(case.add(1))
    expect(refused > 5, f"only {refused} refusals")
    return f"full at each of {count} writes: {refused} refusals naming the full disk; printed ids present"


FULL = """
folder=${EXPLOG_DB%/*}
mount -t tmpfs -o size=800k none "$folder" || exit 77
add="$1 add --kernel gemm --backend cuda --arch sm_90 --outcome success"
for i in $(seq 1000); do
  $add > "$WORK/id" || break
  cat "$WORK/id" >> "$WORK/printed"
  head -c 8192 /dev/zero >> "$folder/ballast"
done
$add --jsonl "$WORK/records.jsonl"; echo many $?
"$1" query --csv --sql "SELECT id FROM log" > "$WORK/stored"; echo read $?
"$1" list > "$WORK/listed"; echo list $?
"$1" stats > "$WORK/listed"; echo stats $?
rm "$folder/ballast"
$add > "$WORK/again"; echo again $?
"$1" doctor --rebuild; echo doctor $?
"""


def disk_full_tmpfs(case):
    """F4: a file system that fills up: what was printed is there, reading works, space makes adding work."""
    need_program("unshare")
    case.file("records.jsonl", lines(3000))
    (case.folder / "printed").touch()
    case.db.parent.mkdir()
    outcome = case.run(wrap=["unshare", "-m", "bash", "-c", FULL, "full"], env={**case.env, "WORK": str(case.folder)})
    if outcome.code == 77 or "unshare failed" in outcome.err:
        raise Skip("a tmpfs cannot be mounted here")
    for phrase in ("many 3", "read 0", "list 0", "stats 0", "again 0", "doctor 0", "bit for bit"):
        expect(phrase in outcome.out, f"'{phrase}' is missing: {outcome}")
    said = outcome.err.strip().splitlines()
    expect(all(line.startswith(("explog: ", "  hint: the disk is full")) for line in said), str(outcome))
    expect("Traceback" not in outcome.err and "terminate" not in outcome.err, str(outcome))
    stored = (case.folder / "stored").read_text()
    printed = (case.folder / "printed").read_text().split()
    expect(all(one.replace("-", "") in stored for one in printed), "a printed id is not there")
    expect(1 < len(printed) < 1000, f"the disk was not full at the right time: {len(printed)} ids")
    return f"{len(printed)} ids printed before it was full, all stored; reading went on; adding works again with space"


TESTS = [disk_full_limit, disk_full_write, disk_full_tmpfs]
