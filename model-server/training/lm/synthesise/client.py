"""One request to an OpenAI-compatible `/v1/chat/completions`, with the standard library alone."""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field

ATTEMPTS = 5
FIRST_WAIT_SECONDS = 1.0
LONGEST_WAIT_SECONDS = 60.0
TIMEOUT_SECONDS = 120.0
RETRIED = frozenset({408, 409, 429, 500, 502, 503, 504})


class EndpointError(RuntimeError):
    """The endpoint gave no usable answer; the message has its status, never a key or a text."""


@dataclass(frozen=True)
class Client:
    endpoint: str
    """With or without `/v1` at its end."""
    model: str
    key: str | None = field(default=None, repr=False)
    temperature: float = 0.9
    max_tokens: int = 300
    timeout: float = TIMEOUT_SECONDS
    sleep: Callable[[float], None] = time.sleep

    @property
    def url(self) -> str:
        base = self.endpoint.rstrip("/")
        return f"{base if base.endswith('/v1') else base + '/v1'}/chat/completions"

    def complete(self, messages: list[dict[str, str]], seed: int) -> str:
        """The answer's text. Asks again after a busy or failing server, with doubling waits (or the server's
        Retry-After, at most a minute). Raises EndpointError when the attempts are used up or the request is refused."""
        body = {
            "model": self.model, "messages": messages, "seed": seed,
            "temperature": self.temperature, "max_tokens": self.max_tokens,
        }  # fmt: skip
        headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {self.key}"} if self.key else {})
        request = urllib.request.Request(self.url, json.dumps(body).encode(), headers, method="POST")
        wait, problem = FIRST_WAIT_SECONDS, "no answer"
        for attempt in range(ATTEMPTS):
            try:
                with urllib.request.urlopen(request, timeout=self.timeout) as response:
                    return _content(response.read())
            except urllib.error.HTTPError as error:
                problem = f"status {error.code}"
                if error.code not in RETRIED:
                    break
                asked = error.headers.get("retry-after", "")
                wait = float(asked) if asked.isdigit() else wait
            # HTTPException: a body that breaks off (IncompleteRead) or an answer that is no HTTP.
            except (urllib.error.URLError, http.client.HTTPException, TimeoutError, ConnectionError) as error:
                problem = f"unreachable ({type(error).__name__})"
            if attempt + 1 < ATTEMPTS:
                self.sleep(min(wait, LONGEST_WAIT_SECONDS))
                wait *= 2
        raise EndpointError(f"{self.url}: {problem}")


def _content(body: bytes) -> str:
    try:
        text = json.loads(body)["choices"][0]["message"]["content"]
    except (ValueError, KeyError, IndexError, TypeError) as error:
        raise EndpointError("the answer is not a chat completion") from error
    if not isinstance(text, str):
        raise EndpointError("the answer has no text")
    return text
