#!/usr/bin/env python3
"""Holds what `raddle verify` prints against the schemas, and lets BenchExec drive it.

  formats.py RADDLE          needs the packages jsonschema and benchexec, and cargo for the schema of SARIF

Exits with 0 if everything is accepted, and a broken answer of each kind is refused.
"""
import copy, json, os, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RADDLE = os.path.abspath(sys.argv[1])
UNBOUNDED = """
#include <pthread.h>
int x;
void *t(void *a) { for (;;) x = !x; return a; }
int main(void) { pthread_t i; pthread_create(&i, 0, t, 0); while (x < 2); return 0; }
"""


def verify(file, form, *flags):
    command = [RADDLE, "verify", file, "--format", form, *flags]
    if "--timeout" not in flags:
        command += ["--timeout", "5s"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode in (0, 1, 2), (command, done)
    return json.loads(done.stdout)


def schema_of_sarif():
    manifest = os.path.join(ROOT, "tests/schemas/Cargo.toml")
    with tempfile.TemporaryDirectory() as copied:
        subprocess.run(["cp", "-r", os.path.dirname(manifest), copied], check=True)
        command = ["cargo", "metadata", "--format-version", "1", "--manifest-path", f"{copied}/schemas/Cargo.toml"]
        packages = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["packages"]
    found = [p["manifest_path"] for p in packages if p["name"] == "serde-sarif"]
    return json.load(open(os.path.join(os.path.dirname(found[0]), "src/schema.json")))


def answers(form):
    with tempfile.NamedTemporaryFile("w", suffix=".c") as endless:
        endless.write(UNBOUNDED)
        endless.flush()
        yield verify("examples/bounded_buffer.c", form)
        yield verify("examples/bank_account_race.c", form, "--all-violations")
        yield verify("examples/peterson.c", form)
        yield verify("examples/bank_account_fixed.c", form, "--certify")
        yield verify(endless.name, form, "--engine", "staged", "--unwind", "2")
        yield verify(endless.name, form, "--timeout", "0s")


def check_schemas():
    import jsonschema

    ours = json.load(open(os.path.join(ROOT, "docs/verify-json.schema.json")))
    verdicts = set()
    for form, schema in (("json", ours), ("sarif", schema_of_sarif())):
        validator = jsonschema.validators.validator_for(schema)(schema)
        validator.check_schema(schema)
        for answer in answers(form):
            validator.validate(answer)
            verdicts.add(answer.get("verdict"))
            broken = copy.deepcopy(answer)
            broken["version"] = "no such version"
            assert not validator.is_valid(broken), "a check that cannot fail"
    assert {"true", "false", "unknown"} <= verdicts, verdicts
    print("json and sarif: accepted")


def check_benchexec():
    directory = os.path.join(ROOT, "tools/benchexec")
    path = os.pathsep.join([os.path.dirname(RADDLE), os.environ.get("PATH", "")])
    environment = dict(os.environ, PYTHONPATH=directory, PATH=path)
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as output:
        output.write("something\nverdict: false(no-data-race)\n")
        output.flush()
        command = [sys.executable, "-m", "benchexec.test_tool_info", ".raddle", "--no-container"]
        command += ["--tool-directory", os.path.dirname(RADDLE), "--tool-output", output.name]
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
    text = done.stdout + done.stderr
    assert done.returncode == 0, text
    for expected in ("Raddle", "false(no-data-race)"):
        assert expected in text, text
    print("benchexec: accepted")


if __name__ == "__main__":
    check_schemas()
    check_benchexec()
