"""``semidirect run --config``: a run in a file, and the file of a run."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import semidirect as sd
from semidirect.cli.config import merged, write
from semidirect.cli.entry import make_parser

FILE = """
system = "heavy-top"
t-end = 0.2
dt = 0.01
seed = 3
method = "lie-midpoint"
save = "every:5"
keep = ["energy", "Gamma3"]
driver = "0.1*sin(t)"
monitor = false

[set]
mass = 2
noise = [[0.0, 0.0, 0.5]]

[state]
Omega = [0, 0, 2]
"""
TYPED = [
    "run", "heavy-top", "--t-end", "0.2", "--dt", "0.01", "--seed", "3", "--method", "lie-midpoint", "--save", "every:5",
    "--keep", "energy,Gamma3", "--driver", "0.1*sin(t)", "--set", "mass=2", "--set", "noise=[[0, 0, 0.5]]",
    "--state", "Omega=[0, 0, 2]",
]  # fmt: skip


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = Path("top.toml")
    path.write_text(FILE, encoding="utf-8")
    return path


def test_a_file_is_the_same_as_what_is_typed(semidirect, file):
    assert semidirect("run", "--config", file).out == semidirect(*TYPED).out


def test_flags_take_precedence(semidirect, file):
    shown = semidirect(
        "run", "--config", file, "--seed", "0", "--set", "mass=1", "--keep", "jellett", "--format", "json"
    )
    assert shown.code == 2  # no such quantity: that of the file is not kept beside it
    done = semidirect(
        "run", "--config", file, "--seed", "0", "--set", "mass=1", "--keep", "Gamma3", "--format", "json", "-o", "a"
    )
    assert list(done.json["final"]) == ["Gamma3"]
    config = sd.Run.load("a").config
    assert (config["seed"], config["dt"], config["parameters"]["mass"]) == (0, 0.01, 1.0)
    assert config["parameters"]["noise"] == [[0.0, 0.0, 0.5]]
    assert semidirect("run", "rigid-body", "--config", file).code == 2  # whose parameters those of a top are not


def test_a_run_writes_its_file(semidirect, file):
    done = semidirect("run", "--config", file, "--paths", "2", "--write-config", "again.toml")
    assert done.code == 0
    assert semidirect("run", "--config", "again.toml").out == done.out
    content = tomllib.loads(Path("again.toml").read_text(encoding="utf-8"))
    assert content == {**tomllib.loads(FILE), "paths": 2} | {"monitor": False} or content["paths"] == 2
    assert content["set"] == {"mass": 2, "noise": [[0.0, 0.0, 0.5]]}
    again = semidirect("run", "--config", file, "--write-config", "again.toml")
    assert again.code == 2
    assert "again.toml exists already" in again.err


def test_the_file_of_a_run_is_there_when_it_begins(semidirect, file, monkeypatch):
    """A run that is interrupted leaves its file; of one that is refused nothing is left."""

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    assert semidirect("run", "--config", file, "--paths", "0", "--write-config", "refused.toml").code == 2
    assert not Path("refused.toml").exists()
    monkeypatch.setattr(sd.System, "simulate", interrupted)
    assert semidirect("run", "--config", file, "--write-config", "left.toml").code == 130
    assert tomllib.loads(Path("left.toml").read_text(encoding="utf-8"))["set"] == {
        "mass": 2,
        "noise": [[0.0, 0.0, 0.5]],
    }


def test_a_generated_seed_is_printed_and_saved(semidirect, file):
    typed = ("run", "--config", file, "--seed", "random", "--format", "json")
    done = semidirect(*typed, "--write-config", "drawn.toml", "-o", "drawn.zarr")
    seed = done.json["seed"]
    assert (
        tomllib.loads(Path("drawn.toml").read_text(encoding="utf-8"))["seed"] == seed == sd.Run.load("drawn.zarr").seed
    )
    assert semidirect(*typed, "-o", "drawn.zarr", "--resume").json == done.json
    assert semidirect("run", "--config", "drawn.toml", "-o", "again.zarr", "--format", "json").json == done.json
    assert semidirect(*typed).json["seed"] != seed
    Path("random.toml").write_text(FILE.replace("seed = 3", 'seed = "random"'), encoding="utf-8")
    assert semidirect("run", "--config", "random.toml", "--format", "json").json["seed"] not in (3, seed)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("tend = 2", "unknown key of top.toml 'tend'. Did you mean 't-end'?"),
        ("config = 'a'", "unknown key of top.toml 'config'"),
        ("t-end = 'x'", "argument --t-end: expected a number, got 'x', in top.toml"),
        ("paths = 1.5", "argument --paths: expected a whole number, got '1.5', in top.toml"),
        ("monitor = 1", "monitor in top.toml: expected true or false, got 1"),
        ("t-end = true", "argument --t-end: expected a number, got 'true', in top.toml"),
        ("dt = 2026-01-01", "dt in top.toml: expected text or a number, got 2026-01-01"),
        ("[t-end]\na = 1", "t-end in top.toml: expected no table here"),
        *(
            (f"{key} = {{}}", f"{key} in top.toml: expected no table here, got {{}}")
            for key in ("t-end", "dt", "paths", "seed", "method", "keep", "stop", "save", "output")
        ),
        ("[set.mass]\na = 1", "set in top.toml: expected no table here"),
        ("[set]\nmas = 1", "unknown parameter or option of HeavyTop 'mas'. Did you mean 'mass'?"),
        ("on-failure = 'cry'", "invalid choice: 'cry'"),
        ("a = [", "top.toml cannot be read: expected TOML in UTF-8"),
        ("system = 3", "unknown system '3'"),
        (f"dt = {'9' * 5000}", "top.toml cannot be read"),
        (f"keep = '{'9' * 400}'", "a number is too large to compute with: expected up to 1.8e308, got about 1e399"),
    ],
)
def test_what_is_refused(semidirect, file, content, message):
    file.write_text(f"{content}\n" if "system" in content else f'system = "heavy-top"\n{content}\n', encoding="utf-8")
    done = semidirect("run", "--config", file)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


@pytest.mark.parametrize("flag", ["--config", "--write-config", "--output", "--from"])
def test_a_path_that_no_file_can_have(semidirect, flag):
    done = semidirect("run", "heavy-top", f"{flag}=\ud800")
    assert done.code == 2
    assert "expected a path, got '\\ud800'" in done.err


def test_no_system_and_no_file(semidirect, file):
    assert "NAME, or --config with a file" in semidirect("run").err
    file.write_text("t-end = 1\n", encoding="utf-8")
    assert "NAME, or --config with a file" in semidirect("run", "--config", file).err
    done = semidirect("run", "--config", "nope.toml")
    assert done.err == "semidirect: error: cannot read nope.toml: No such file or directory. Give a file of TOML.\n"


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8).filter(lambda text: text != "--")
JSON = st.recursive(
    st.integers() | st.floats(allow_nan=False, allow_infinity=False), lambda x: st.lists(x, max_size=3)
).map(str)
FLAGS = st.fixed_dictionaries(
    {},
    optional={
        "--dt": st.floats().map(str),
        "--paths": st.integers().map(str), "--seed": st.just("0"), "--method": TEXTS,
        "--save": TEXTS, "--driver": TEXTS, "--keep": st.lists(TEXTS, min_size=1, max_size=3),
        "--stop": st.lists(TEXTS, min_size=1, max_size=2),
        "--set": st.dictionaries(st.sampled_from(["mass", "a b", "é", "x.y"]), JSON | TEXTS, min_size=1),
        "--bound": st.dictionaries(st.sampled_from(["energy", "Omega"]), JSON, min_size=1), "--output": TEXTS.filter("\0".__ne__),
        "--noise-covariance": JSON, "--format": st.sampled_from(["json", "table"]),
    },
)  # fmt: skip


@settings(max_examples=25)
@given(flags=FLAGS)
def test_what_is_written_is_read(flags, tmp_path_factory):
    parser = make_parser(["run"])
    line = []
    for flag, value in flags.items():
        values = [f"{k}={v}" for k, v in value.items()] if isinstance(value, dict) else value
        line += [f"{flag}={v}" for v in (values if isinstance(values, list) else [values]) if "\0" not in v]
    first = parser.parse_args(["run", "heavy-top", *line])
    path = tmp_path_factory.mktemp("of_a_run") / "run.toml"
    write(first, first.parser, path)
    again = parser.parse_args(["run", "--config", str(path)])
    found = vars(merged(again, again.parser))
    for key in ("settings", "bound"):  # numbers may be written another way
        assert [e.partition("=")[0].strip() for e in found[key] or ()] == [
            e.partition("=")[0].strip() for e in vars(first)[key] or ()
        ]
    for key, value in vars(first).items():
        if key not in ("config", "settings", "bound") and value == value:
            assert found[key] == value, key
