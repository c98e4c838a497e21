"""Runs a program under a seccomp profile of container engines, by libseccomp: under_seccomp.py PROFILE OMIT PROGRAM…

OMIT: a text; system calls with it in their names are not allowed. "" omits none.
"""

import ctypes
import json
import os
import sys

ALLOW = 0x7FFF0000
ERRNO = 0x00050000
OPERATORS = {"SCMP_CMP_NE": 1, "SCMP_CMP_EQ": 4, "SCMP_CMP_MASKED_EQ": 7}


class Compare(ctypes.Structure):
    """struct scmp_arg_cmp of seccomp.h."""

    _fields_ = [("arg", ctypes.c_uint), ("op", ctypes.c_int), ("a", ctypes.c_uint64), ("b", ctypes.c_uint64)]


def compare(argument):
    return Compare(argument["index"], OPERATORS[argument["op"]], argument["value"], argument.get("valueTwo", 0))


library = ctypes.CDLL("libseccomp.so.2")
library.seccomp_init.restype = ctypes.c_void_p
profile = json.load(open(sys.argv[1]))
assert profile["defaultAction"] == "SCMP_ACT_ERRNO"
context = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(ERRNO | profile["defaultErrnoRet"])))
for rule in profile["syscalls"]:
    assert rule["action"] == "SCMP_ACT_ALLOW"
    arguments = [compare(each) for each in rule.get("args", [])]
    array = (Compare * len(arguments))(*arguments)
    for name in rule["names"]:
        number = library.seccomp_syscall_resolve_name(name.encode())
        omitted = sys.argv[2] and sys.argv[2] in name
        if number >= 0 and not omitted:
            failure = library.seccomp_rule_add_array(context, ctypes.c_uint32(ALLOW), number, len(arguments), array)
            assert failure == 0, (name, failure)
assert library.seccomp_load(context) == 0
os.execvp(sys.argv[3], sys.argv[3:])
