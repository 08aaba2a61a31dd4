"""Synthetic dialogues against a small server on the loopback: asking, filtering, selecting, going on after a stop."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from lm_dialogues import PETS, SEED, dialogue

from lm import data, slots
from lm.synthesise import __main__ as command
from lm.synthesise import client, seeds, stages


class Endpoint:
    """Answers by `answer(request number, body)`: a text, a status to fail with, or bytes to break off after."""

    def __init__(self, answer: Callable[[int, dict], str | int | bytes]) -> None:
        self.answer = answer
        self.requests: list[dict] = []
        self.keys: list[str | None] = []
        self.paths: list[str] = []
        self.url = ""


@contextmanager
def serving(answer: Callable[[int, dict], str | int | bytes]) -> Iterator[Endpoint]:
    endpoint, lock = Endpoint(answer), threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            with lock:
                number = len(endpoint.requests)
                endpoint.requests.append(body)
                endpoint.keys.append(self.headers.get("authorization"))
                endpoint.paths.append(self.path)
                result = endpoint.answer(number, body)
            status = result if isinstance(result, int) else 200
            if isinstance(result, bytes):  # a connection that breaks in the middle of the body
                self.send_response(200)
                self.send_header("content-length", str(len(result) + 10))
                self.end_headers()
                self.wfile.write(result)
                return
            message = {"role": "assistant", "content": result}
            sent = json.dumps({"choices": [{"message": message}]} if status == 200 else {"error": {}}).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(sent)))
            if status == 429:
                self.send_header("retry-after", "7")
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, *_: object) -> None:
            """Nothing on the test's output."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    endpoint.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield endpoint
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def pet_of(_: int, body: dict) -> str:
    return dialogue(PETS[body["seed"] % len(PETS)])


def seed_file(folder: Path, rows: list[dict] | None = None) -> Path:
    path = folder / "seeds.jsonl"
    chosen = rows or [{"emotion": "sad", "situation": "I lost my pet."}, {"emotion": "lonely"}]
    path.write_text("".join(json.dumps(row) + "\n" for row in chosen), encoding="utf-8")
    return path


def arguments(folder: Path, url: str, *more: str) -> list[str]:
    return ["--endpoint", url, "--model", "m", "--seeds", str(folder / "seeds.jsonl"),
            "--out", str(folder / "out.jsonl"), "--n", "4", "--oversample", "2.5", *more]  # fmt: skip


def test_the_command_writes_dialogues_that_training_reads(tmp_path: Path):
    seed_file(tmp_path)
    with serving(pet_of) as endpoint:
        command.main(arguments(tmp_path, endpoint.url))
    rows = list(data.read_rows(tmp_path / "out.jsonl"))
    assert len(rows) == 4
    made = data.tokenise(iter(rows), {}, lambda text: [ord(char) for char in text])
    for conversation in made:
        assert conversation.emotion in (slots.EMOTIONS.index("sad"), slots.EMOTIONS.index("lonely"))
        assert [turn.speaker for turn in conversation.turns] == [True, False, True, False]
    assert len({conversation.conv_id for conversation in made}) == 4


def test_the_request_is_a_chat_completion_about_the_seed_with_the_key_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    seed_file(tmp_path)
    monkeypatch.setenv("MY_KEY", "k-1")
    with serving(pet_of) as endpoint:
        command.main(arguments(tmp_path, endpoint.url + "/v1/", "--key-env", "MY_KEY"))
    assert set(endpoint.paths) == {"/v1/chat/completions"}
    assert set(endpoint.keys) == {"Bearer k-1"}
    told = [body for body in endpoint.requests if body["seed"] % 2 == 0]
    assert all("feels sad" in b["messages"][-1]["content"] for b in told)
    assert all("I lost my pet." in b["messages"][-1]["content"] for b in told)
    assert all(body["model"] == "m" for body in endpoint.requests)


def test_no_key_is_sent_where_none_is_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    seed_file(tmp_path)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with serving(pet_of) as endpoint:
        command.main(arguments(tmp_path, endpoint.url))
    assert set(endpoint.keys) == {None}


def test_a_second_run_asks_nothing_that_is_on_disk(tmp_path: Path):
    seed_file(tmp_path)
    with serving(pet_of) as endpoint:
        command.main(arguments(tmp_path, endpoint.url))
        first = (tmp_path / "out.jsonl").read_bytes()
        assert len(endpoint.requests) == 10
        command.main(arguments(tmp_path, endpoint.url))
        assert len(endpoint.requests) == 10
    assert (tmp_path / "out.jsonl").read_bytes() == first


def test_a_run_that_was_stopped_in_the_middle_of_a_line_goes_on_there(tmp_path: Path):
    seed_file(tmp_path)
    with serving(pet_of) as endpoint:
        command.main(arguments(tmp_path, endpoint.url))
        whole = (tmp_path / "out.jsonl").read_bytes()
        generated = tmp_path / "out.jsonl.stages" / "generated.jsonl"
        lines = generated.read_text(encoding="utf-8").splitlines(keepends=True)
        generated.write_text("".join(lines[:6]) + lines[6][:9], encoding="utf-8")
        endpoint.requests.clear()
        command.main(arguments(tmp_path, endpoint.url))
        assert len(endpoint.requests) == 4
    assert (tmp_path / "out.jsonl").read_bytes() == whole


def test_a_run_that_was_stopped_in_the_middle_of_a_letter_goes_on_there(tmp_path: Path):
    def answer(_: object, number: int) -> str:
        return dialogue(PETS[number]) + " I\u2019m here."

    run = stages.Stages(tmp_path / "out.jsonl", "m", [SEED])
    run.generate(answer, 3)
    whole = run.generated.read_bytes()
    run.generated.write_bytes(whole[: whole.rindex(b"\xe2\x80") + 1])
    assert run.generate(answer, 3) == 3
    assert run.generated.read_bytes() == whole


def test_answers_on_disk_are_never_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    run = stages.Stages(tmp_path / "out.jsonl", "m", [SEED])
    run.generate(lambda _, number: dialogue(PETS[number]), 3)
    whole = run.generated.read_bytes()
    run.generated.write_bytes(whole + b'{"number": 3, "te')

    def killed(path: Path, *_: object, **__: object) -> int:
        path.open("w").close()
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_text", killed)
    monkeypatch.setattr(Path, "write_bytes", killed)
    with contextlib.suppress(KeyboardInterrupt):
        run.generate(lambda _, number: dialogue(PETS[number]), 3)
    assert run.generated.read_bytes() == whole


def test_a_run_with_another_model_does_not_mix_with_the_old_one(tmp_path: Path):
    seed_file(tmp_path)
    with serving(pet_of) as endpoint:
        command.main(arguments(tmp_path, endpoint.url))
        with pytest.raises(SystemExit, match="another model, prompt or seeds"):
            command.main([*arguments(tmp_path, endpoint.url), "--model", "other"])


def test_a_busy_endpoint_is_asked_again_after_the_time_it_names():
    waits: list[float] = []
    with serving(lambda number, _: 429 if number < 2 else "hello") as endpoint:
        answer = client.Client(endpoint.url, "m", sleep=waits.append).complete([], 0)
    assert answer == "hello"
    assert waits == [7, 7]


def test_an_answer_that_breaks_off_is_asked_for_again():
    with serving(lambda number, _: b'{"choices": [' if number < 2 else "hello") as endpoint:
        answer = client.Client(endpoint.url, "m", sleep=lambda _: None).complete([], 0)
        assert len(endpoint.requests) == 3
    assert answer == "hello"


def test_an_answer_that_always_breaks_off_ends_in_an_error_of_the_endpoint():
    with serving(lambda number, _: b"{") as endpoint:
        with pytest.raises(client.EndpointError, match="IncompleteRead"):
            client.Client(endpoint.url, "m", sleep=lambda _: None).complete([], 0)


def test_waits_double_while_an_endpoint_fails_and_end_after_five_attempts():
    waits: list[float] = []
    with serving(lambda number, _: 503) as endpoint:
        with pytest.raises(client.EndpointError, match="status 503"):
            client.Client(endpoint.url, "m", sleep=waits.append).complete([], 0)
        assert len(endpoint.requests) == client.ATTEMPTS
    assert waits == [1, 2, 4, 8]


def test_a_refused_request_is_not_repeated_and_the_error_holds_no_key():
    with serving(lambda number, _: 401) as endpoint:
        with pytest.raises(client.EndpointError) as caught:
            client.Client(endpoint.url, "m", key="k-secret", sleep=lambda _: None).complete([], 0)
        assert len(endpoint.requests) == 1
    assert "401" in str(caught.value) and "k-secret" not in str(caught.value)
    assert "k-secret" not in repr(client.Client("http://x", "m", key="k-secret"))


def test_an_endpoint_that_is_not_there_ends_the_command_with_its_address(tmp_path: Path):
    def down(*_: object) -> str:
        raise client.EndpointError("http://127.0.0.1:1: unreachable")

    run = stages.Stages(tmp_path / "out.jsonl", "m", [SEED])
    with pytest.raises(client.EndpointError, match="unreachable"):
        run.generate(down, 100, parallel=2)


def test_a_single_failed_answer_costs_that_answer_alone(tmp_path: Path):
    def sometimes(_: object, number: int) -> str:
        if number == 3:
            raise client.EndpointError("once")
        return dialogue(PETS[number % len(PETS)])

    run = stages.Stages(tmp_path / "out.jsonl", "m", [SEED])
    assert run.generate(sometimes, 10) == 9


def test_the_same_dialogue_twice_is_kept_once_and_dropped_answers_are_counted(tmp_path: Path):
    answers = [dialogue("dog"), dialogue("dog"), "nonsense", dialogue("cat")]
    run = stages.Stages(tmp_path / "out.jsonl", "m", [seeds.Seed("sad", None)])
    run.generate(lambda _, number: answers[number], 4)
    passed, dropped = run.filter(4)
    assert len(passed) == 2
    assert dropped == {"duplicate": 1, "form": 1}
