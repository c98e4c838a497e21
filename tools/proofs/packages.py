"""Python packages that a proof needs, each in an environment of its own outside the tree."""

import os
import pathlib
import re
import subprocess
import sys

import servers


def cache():
    """Where what was fetched is kept."""
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "sluice"


def environment(package):
    """The directory of a virtual environment that has a package, given as NAME==VERSION; made when first needed."""
    directory = cache() / re.sub(r"[^\w.-]+", "-", package)
    done = directory / "installed"
    if not done.exists():
        directory.parent.mkdir(parents=True, exist_ok=True)
        make(directory, package)
        done.touch()
    return directory


def make(directory, package):
    steps = [
        [sys.executable, "-m", "venv", "--clear", str(directory)],
        [str(directory / "bin/python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", package],
    ]
    for step in steps:
        done = subprocess.run(step, capture_output=True, text=True)
        if done.returncode:
            raise servers.ProofError(
                f"cannot install {package}; remedy: apt-get install python3-venv, and a reachable package registry\n"
                + done.stdout
                + done.stderr
            )
