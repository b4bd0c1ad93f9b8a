"""Every command has a topic and an example in its help, and the examples work when they are typed."""

import re
import shlex

from semidirect.cli.commands import BUILT_IN
from semidirect.cli.parser import OTHERS, TOPICS


def test_examples_of_the_help_work(semidirect, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    written = set()
    for name in BUILT_IN:  # in this order, as pictures are of what was run
        monkeypatch.setenv("COLUMNS", "60")
        _, _, examples = semidirect(name, "--help").out.partition("\nexample")
        monkeypatch.delenv("COLUMNS")
        assert max(map(len, examples.splitlines())) <= 60
        lines = re.findall(r"^  semidirect (.*)$", examples.replace(" \\\n", ""), flags=re.M)
        assert lines, f"{name} --help shows no example"
        for line in lines:
            assert line.split()[0] == name
            done = semidirect(*shlex.split(line))
            assert (line, done.code, done.err) == (line, 0, "")
            assert done.out
        written |= {path.name for path in tmp_path.iterdir()}
    assert {"top.zarr", "top.png", "top.html", "top.gif", "my-top"} <= written


def test_commands_are_listed_by_topic(semidirect):
    text = semidirect("--help").out
    found = re.findall(r"^(\S.*):\n((?:    .*\n)+)", text, flags=re.M)
    names = {topic: re.findall(r"^    (\w+)", block, flags=re.M) for topic, block in found}
    assert set(names) <= {*TOPICS, OTHERS}
    assert sorted(name for topic in TOPICS for name in names.get(topic, ())) == sorted(BUILT_IN)
    assert names[OTHERS] == ["audit", "reproduce"]
    assert all(TOPICS.index(a) < TOPICS.index(b) for a, b in zip(list(names)[:-1], list(names)[1:-1], strict=False))
