"""What works with what: kinds of system, capabilities, and a check for each pair of them.

``python tests/verification/what_works_with_what`` fills the record beside this file, resumes where it stopped, and writes the
page ``docs/what_works_with_what.md``.
"""
