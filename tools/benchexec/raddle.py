"""BenchExec's view of Raddle: how it is called for a task, and what its answer means.

Put this directory on PYTHONPATH and use `raddle` as the tool of a benchmark definition:

    PYTHONPATH=tools/benchexec benchexec my-benchmark.xml      # <benchmark tool=".raddle" …>
"""

import re

import benchexec.result as result
import benchexec.tools.template

VERDICT = re.compile(r"^verdict: (true|false|unknown)(?:\((.*)\))?$")


class Tool(benchexec.tools.template.BaseTool2):
    """Checks multithreaded C programs over all thread interleavings."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("raddle")

    def name(self):
        return "Raddle"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="raddle ")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "verify", *options, *task.input_files_or_identifier]
        if task.property_file:
            command += ["--property", task.property_file]
        if isinstance(task.options, dict) and task.options.get("data_model"):
            command += ["--data-model", task.options["data_model"]]
        # A little less than the limit, so that the answer is printed and not cut off.
        if rlimits.cputime:
            command += ["--cpu-limit", f"{max(1, rlimits.cputime - 1)}s"]
        if rlimits.walltime:
            command += ["--timeout", f"{max(1, rlimits.walltime - 1)}s"]
        if rlimits.memory:
            command += ["--memory", f"{rlimits.memory * 9 // 10 // 1024}K"]
        return command

    def determine_result(self, run):
        for line in reversed(list(run.output)):
            found = VERDICT.match(line.strip())
            if not found:
                continue
            word, detail = found.groups()
            if word == "true":
                return result.RESULT_TRUE_PROP
            if word == "false":
                return f"{result.RESULT_FALSE_PROP}({detail})"
            return f"{result.RESULT_UNKNOWN} ({detail})" if detail else result.RESULT_UNKNOWN
        return result.RESULT_ERROR
