"""CPU time of one command."""
import os
import subprocess
import sys


def seconds(command):
    """The CPU time of one run, user and system."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(command)}\nended with status {process.returncode}:\n{errors.decode(errors='replace')}")
    return usage.ru_utime + usage.ru_stime
