"""What a PostgreSQL remote and its readers refuse, and how secrets are kept."""
import shutil
import subprocess

from postgres_cases import expect
from postgres_wire import first_words, own_address
from harness import Skip


def refused(done, code, *words):
    expect(done["exit"] == code, f"exit {done['exit']} instead of {code}: {done}")
    for word in words:
        expect(word in done["what"], f"the message lacks '{word}': {done}")


def another_ones_origin_is_refused(case):
    case.init("hardened", "north", "south")
    expect(case.push("a", user="north")["stored"] == 2, "north cannot push")
    refused(case.push("a", segments=3, user="south"), 4, "belongs to another role")
    expect(case.push("b", user="south")["stored"] == 2, "south cannot push his own")
    case.expect_contiguous(4)
    return "south was refused on north's origin although he had her key; both push to their own"


def another_key_is_refused(case):
    for tier in ("plain", "hardened"):
        case.init(*(["hardened"] if tier == "hardened" else []), "north", "south")
        expect(case.push("a", user="north")["exit"] == 0, "north cannot push")
        for trick in ("stranger", "forged"):
            refused(case.push("a", segments=3, user="north", trick=(trick, "other")), 4, "another key")
        expect(case.pull()["events"] == 10, "something was added")
        case.__init__(case.server, case.explog, case.folder)
    return "signed by another key, and the true signature replayed under another key: refused in both tiers"


def a_forged_origin_shows_at_the_reader(case):
    case.init("hardened", "north", "south")
    case.push("a", user="north")
    done = case.push("c", user="south", trick=("forged", "other"))  # registers c's batches under a key that did not sign
    expect(done["exit"] == 0, f"the server knows no Ed25519: {done}")
    pulled = case.pull(user="north")
    expect(pulled["exit"] == 6 and "its signature does not hold" in pulled["faults"], f"{pulled}")
    return "a replay under another key, new to the server, fails at the reader's check of the signature"


def a_tampered_batch_shows_at_the_reader(case):
    case.init("hardened", "north", "south")
    case.push("a", user="north")
    case.push("b", user="south", trick=("tampered",))
    pulled = case.pull()
    expect(pulled["exit"] == 6 and any("changed" in fault for fault in pulled["faults"]), f"{pulled}")
    case.server.sql("UPDATE explog.event SET body = replace(convert_from(body, 'UTF8'), 'fill', 'fell')::bytea WHERE seq = 1")
    pulled = case.pull()
    expect(len(pulled["faults"]) == 3, f"what the administrator changed was not noticed: {pulled}")
    return "a body changed on its way, and one changed in the table by the administrator: both noticed by the hash chain"


def nobody_writes_to_the_tables(case):
    case.init("hardened", "north", "south!")
    case.push("a", user="north")
    statements = ["UPDATE explog.stream SET head_pos = 0", "DELETE FROM explog.event", "TRUNCATE explog.batch",
                  "UPDATE explog.event SET body = ''", "UPDATE explog.origin SET owner = 'north'", "DROP TABLE explog.event",
                  "INSERT INTO explog.stream VALUES ('mine', gen_random_uuid(), 0)", "COPY explog.event FROM STDIN",
                  "INSERT INTO explog.member VALUES ('main', 'stranger')", "SELECT * FROM explog.member",
                  "UPDATE explog.meta SET value = '9'", "CREATE TABLE explog.mine (x int)",
                  "SET ROLE explog_owner; DELETE FROM explog.event",
                  "CREATE FUNCTION explog.f() RETURNS int LANGUAGE sql AS 'SELECT 1'"]
    for statement in statements:
        for user in ("north", "south", "stranger"):
            said = case.server.refusal(statement, user)
            expect("permission denied" in said or "must be owner" in said, f"{user}: {statement}: {said or 'done'}")
    case.expect_contiguous(2)
    return f"{len(statements)} statements by a member, a moderator and a stranger: all refused"


def a_stranger_reads_nothing(case):
    case.init("hardened", "north")
    case.init("south", stream="other")
    case.push("a", user="north")
    refused(case.pull(user="stranger"), 4, "permission denied")
    refused(case.pull(user="south"), 4, "no stream")
    tables = ("stream", "origin", "batch", "event", "welcome")
    seen = [case.server.value(f"SELECT count(*) FROM explog.{t} WHERE stream = 'main'", user="south") for t in tables]
    expect(seen == ["0"] * 5, f"a member of another stream sees {seen} rows")
    refused(case.push("b", user="south"), 4)
    expect("EXL01" not in case.server.refusal("SELECT explog.register_origin('main', gen_random_uuid(), decode(repeat('00',32),'hex'), '')", "south")
           and case.server.refusal("SELECT explog.register_origin('main', gen_random_uuid(), decode(repeat('00',32),'hex'), '')", "south"),
           "a stranger registered an origin")
    return "no role: refused; a member of another stream: 0 rows of every table, and no push"


def moderators_moderate(case):
    case.init("hardened", "north", "south!")
    said = case.server.refusal("SELECT explog.set_member('main', 'west', true, true, false)", "north")
    expect("only a moderator" in said, f"a member admitted someone: {said or 'done'}")
    case.server.sql("SELECT explog.set_member('main', 'west', true, false, false)", user="south")
    expect(case.pull(user="west")["exit"] == 0, "west cannot read")
    refused(case.push("c", user="west"), 4, "may not push")
    case.server.sql("SELECT explog.set_member('main', 'west', true, true, false)", user="south")
    expect(case.push("c", user="west")["exit"] == 0, "west cannot push")
    expect(case.push("a", user="north")["exit"] == 0 and case.push("a", segments=4, user="south")["exit"] == 0,
           "a moderator cannot hand on what north signed")
    case.server.sql("SELECT explog.set_member('main', 'west', false, false, false)", user="south")
    refused(case.pull(user="west"), 4, "no stream")
    origin = case.server.value("SELECT origin FROM explog.origin WHERE owner = 'north'")
    case.server.sql(f"SELECT explog.set_owner('main', '{origin}', 'south')", user="south")
    refused(case.push("a", segments=5, user="north"), 4, "belongs to another role")
    case.expect_contiguous(6)
    return "reading, pushing, putting out, relaying and handing over, by a moderator and by nobody else"


def a_founder_needs_no_superpowers(case):
    """Managed servers give nobody all rights: owning the database is enough, and for the hardened tier making roles."""
    for tier, rights in (("plain", ""), ("hardened", "CREATEROLE")):
        case.server.sql(f"CREATE ROLE founder_{tier} LOGIN {rights}; ALTER DATABASE team OWNER TO founder_{tier}")
        words = ["hardened", "north", "south!"] if tier == "hardened" else ["north", "south"]
        for _ in range(2):  # safe to repeat
            done = case.run(case.server.url(user=f"founder_{tier}"), "init", *words)
            expect(done["exit"] == 0, f"{tier}: {done}")
        done = case.run(case.server.url(user=f"founder_{tier}", stream="second"), "init", *words)
        expect(done["exit"] == 0, f"{tier}, another stream: {done}")
        expect(case.push("a", user="north")["exit"] == 0 and case.pull(user="south")["events"] == 10, f"{tier}: no exchange")
        if tier == "hardened":
            case.server.sql("SELECT explog.set_member('main', 'west', true, true, false)", user="south")
            expect(case.push("c", user="west")["exit"] == 0, "west cannot push")
        case.server.sql("DROP DATABASE team WITH (FORCE)", database="postgres")
        for role in (f"founder_{tier}", "explog_user", "explog_owner"):
            case.server.sql(f"DROP ROLE IF EXISTS {role}", database="postgres")
        case.server.sql("CREATE DATABASE team", database="postgres")
    stranger = case.run(case.server.url(user="stranger"), "init")
    refused(stranger, 4, "permission denied")
    return "an owner of the database makes the plain tier, with CREATEROLE the hardened one, again and another stream; others cannot"


def only_owners_redact(case):
    case.init("hardened", "north", "south")
    case.push("a", user="north")
    origin = case.server.value("SELECT origin FROM explog.origin")
    redact = f"SELECT explog.redact('main', ARRAY['{origin}'::uuid], ARRAY[1::bigint], ARRAY[decode(repeat('11',32),'hex')])"
    expect(case.server.value(redact, user="south") == "0", "south blanked north's event")
    expect(case.server.value(redact, user="north") == "1", "north cannot blank her event")
    expect(case.server.value(redact, user="north") == "0", "blanked twice")
    return "an event is blanked by its owner and not by another member"


def passwords_stay_secret(case):
    secret = "s3cr3t-w0rd"
    for url in (f"postgresql://north:{secret}@127.0.0.1/team", f"postgresql://north@127.0.0.1/team?password={secret}",
                f"postgresql://north:{secret}/x@127.0.0.1/team", f"postgres://north:{secret}@[::1]:x/team",
                f"postgresql://north@127.0.0.1/team?sslpassword={secret}"):
        done = case.run(url, "pull")
        refused(done, 2, "password")
        expect(secret not in str(done), f"the password is shown: {done}")
    server = case.server
    server.sql(f"DO $$ BEGIN CREATE ROLE dave LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$; ALTER ROLE dave PASSWORD '{secret}'")
    rules = (server.data / "pg_hba.conf").read_text()
    (server.data / "pg_hba.conf").write_text("host team dave all scram-sha-256\n" + rules)
    server.sql("SELECT pg_reload_conf()")
    try:
        case.init("hardened", "dave")
        url = server.url(user="dave", tcp=True)
        passfile = case.folder / "passfile"
        passfile.write_text(f"127.0.0.1:*:team:dave:{secret}\n")
        passfile.chmod(0o600)
        service = case.folder / "services"
        service.write_text(f"[team]\npassword={secret}\n")
        ways = {"PGSERVICE": {"PGSERVICE": "team", "PGSERVICEFILE": str(service)}, "PGPASSWORD": {"PGPASSWORD": secret}, "PGPASSFILE": {"PGPASSFILE": str(passfile)},
                "command": {"EXPLOG_PASSWORD_COMMAND": f"echo noise >&2; echo {secret}"}}
        for name, env in ways.items():
            # A service file may name any server, so that encryption is wanted unless the URL says otherwise.
            done = case.finish(case.start(url + ("&sslmode=disable" if name == "PGSERVICE" else ""), "pull", env=env))
            expect(done["exit"] == 0, f"{name}: {done}")
        for env in ({}, {"PGPASSWORD": "wr0ng-" + secret}, {"EXPLOG_PASSWORD_COMMAND": f"echo wr0ng-{secret}"},
                    {"EXPLOG_PASSWORD_COMMAND": f"echo {secret}; exit 1"}):
            done = case.finish(case.start(url, "pull", env=env))
            refused(done, 4)
            expect(secret not in str(done), f"the password is shown: {done}")
    finally:
        (server.data / "pg_hba.conf").write_text(rules)
        server.sql("SELECT pg_reload_conf()")
    return "refused in a URL, taken from a service file, PGPASSWORD, PGPASSFILE and a command, wrong ones exit 4, shown nowhere"


def strangers_servers_must_prove_their_name(case):
    address = own_address()
    if address is None:
        raise Skip("this machine has no address but the loopback")
    for more in ("", "PGSSLMODE=disable"):
        port, heard = first_words(address)
        env = dict([more.split("=")]) if more else {}
        done = case.finish(case.start(f"postgresql://north@{address}:{port}/team", "pull", env=env))
        expect(done["exit"] == 5, f"{done}")
        heard = heard()
        expect(heard[0][4:8] == bytes([4, 210, 22, 47]), f"the first words are no question for encryption: {heard}")
        expect(heard[1] == b"", f"without encryption it said {heard[1]!r}")
    return "off the loopback nothing is said without encryption, not even the user's name"


def certificates_are_checked(case):
    server = case.server
    if shutil.which("openssl") is None:
        raise Skip("openssl is not installed")
    if not (server.data / "server.crt").exists():
        made = subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                               "-addext", "subjectAltName=DNS:localhost", "-keyout", server.data / "server.key",
                               "-out", server.data / "server.crt"], capture_output=True, check=False)
        expect(made.returncode == 0, str(made))
        for name in ("server.key", "server.crt"):
            (server.data / name).chmod(0o600)
            if server.user:
                shutil.chown(server.data / name, server.user)
    certificate = case.folder / "root.crt"
    shutil.copyfile(server.data / "server.crt", certificate)
    server.sql("ALTER SYSTEM SET ssl = on")
    server.sql("SELECT pg_reload_conf()")
    try:
        case.init()
        full = "&sslmode=verify-full"
        named = server.url(tcp=True).replace("127.0.0.1", "localhost")
        good = case.pull(url=named + full + f"&sslrootcert={certificate}")
        expect(good["exit"] == 0, f"the right certificate: {good}")
        other_name = case.pull(url=server.url(tcp=True, more=full + f"&sslrootcert={certificate}"))
        refused(other_name, 5, "does not match")
        expect("prove its name" in other_name["hint"], f"{other_name}")
        unknown = case.pull(url=named + full + "&sslrootcert=/etc/ssl/certs/ca-certificates.crt")
        expect(unknown["exit"] == 5, f"a certificate of nobody: {unknown}")
    finally:
        server.sql("ALTER SYSTEM RESET ssl")
        server.sql("SELECT pg_reload_conf()")
    return "the right certificate passes, one for another name and one of an unknown issuer do not"


TESTS = [another_ones_origin_is_refused, another_key_is_refused, a_forged_origin_shows_at_the_reader,
         a_tampered_batch_shows_at_the_reader, nobody_writes_to_the_tables, a_stranger_reads_nothing, moderators_moderate,
         a_founder_needs_no_superpowers, only_owners_redact, passwords_stay_secret,
         strangers_servers_must_prove_their_name, certificates_are_checked]
