"""A training stage that starts from finished weights: clock, resumption, checkpoints.

The files have the form that lm.train writes, so lm.export and a next leg read them. `running.pt` carries beside
it what the stage needs to go on; a finished stage is `WORK/NAME.pt`.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

import torch

from .. import model as models, profiles, store
from .layout import Batch

WARMUP_STEPS = 10
CLIP = 1.0
CHECKPOINT_SECONDS = 600
"""At most; a stage of less than forty minutes is saved four times."""
LOG_STEPS = 20

Loss = Callable[[Batch], tuple[torch.Tensor, dict[str, float]]]
"""A batch's loss, and figures for the log."""


def load(checkpoint: Path) -> tuple[torch.nn.Module, dict]:
    """The network of a checkpoint in float32, and the checkpoint's `progress`."""
    stored = torch.load(checkpoint, weights_only=True, mmap=True, map_location="cpu")
    return models.from_state(stored["model"], stored["config"]), stored["progress"]


def digest(*parts: object) -> str:
    """Sixteen hex digits over files (by content) and other values (by repr)."""
    total = hashlib.sha256()
    for part in parts:
        if isinstance(part, Path):
            with part.open("rb") as stream:
                total.update(hashlib.file_digest(stream, "sha256").digest())
        else:
            total.update(hashlib.sha256(repr(part).encode()).digest())
    return total.hexdigest()[:16]


@dataclass
class Done:
    """What the stage has used up so far."""

    step: int = 0
    seconds: float = 0.0
    tokens: int = 0


@dataclass(frozen=True)
class Plan:
    seconds: float
    """Wall-clock time of training, evaluations not counted."""
    passes: int
    """Upper bound on the passes over the data, whatever the clock says: small files must not be learned by heart."""
    learning_rate: float
    seed: int = 0


@dataclass
class Stage:
    """One stage in `work`, named `name`; `key` says from which files and arguments it is made."""

    name: str
    work: Path
    key: str
    plan: Plan
    source: dict
    """`progress` of the checkpoint it starts from."""
    data: tuple[str, ...] = ()
    """The sources that the stage itself trains on, names of lm/profiles.py."""
    done: Done = field(default_factory=Done)
    optimiser_state: dict | None = None
    clock: Callable[[], float] = time.monotonic

    @property
    def running(self) -> Path:
        return self.work / f"{self.name}-running.pt"

    @property
    def result(self) -> Path:
        return self.work / f"{self.name}.pt"

    def resume(self, network: torch.nn.Module) -> None:
        """Go on from `running` where it has this stage's key; raises ValueError where it has another."""
        self.work.mkdir(parents=True, exist_ok=True)
        if not self.running.exists():
            return
        stored = torch.load(self.running, weights_only=True, map_location="cpu")
        if stored["stage"]["key"] != self.key:
            raise ValueError(f"{self.running}: of another file, checkpoint or setting; delete it or use another --work")
        network.load_state_dict(stored["model"], strict=False)
        network.tie_weights()
        self.done = Done(**stored["stage"]["done"])
        self.optimiser_state = stored["optimiser"]

    def save(self, path: Path, network: torch.nn.Module, optimiser: torch.optim.Optimizer | None) -> None:
        """Write a checkpoint in one step; counts go on from those of the source."""
        progress = self.source | {
            "step": self.source["step"] + self.done.step,
            "seconds": self.source["seconds"] + self.done.seconds,
            "tokens": self.source["tokens"] + self.done.tokens,
            "sources": sorted({*profiles.sources_of(self.source), *self.data}),
        }
        if profiles.refused(progress["sources"], "permissive"):
            progress["profile"] = "full"
        state = {k: v for k, v in network.state_dict().items() if k != "lm_head.weight"}
        stage = {"name": self.name, "key": self.key, "done": asdict(self.done)}
        store.write(
            path, network.config, state, progress, optimiser.state_dict() if optimiser else None, stage=stage
        )

    def log(self, row: dict) -> None:
        """Append one line to WORK/NAME.jsonl and print it."""
        line = json.dumps({"stage": self.name} | row)
        with (self.work / f"{self.name}.jsonl").open("a", encoding="utf-8") as out:
            out.write(line + "\n")
        print(line, flush=True)

    def spent(self, steps: int) -> float:
        """Share of the stage that is over, by the clock or by the passes, whichever is further: 0 to 1."""
        return min(1.0, max(self.done.seconds / self.plan.seconds, self.done.step / max(steps, 1)))

    def run(
        self, network: torch.nn.Module, per_pass: int, batches: Callable[[int], Iterator[Batch]], loss: Loss
    ) -> None:
        """Train to the end of the plan and write `result`; `running` is removed then.

        `batches(number)` gives the `per_pass` batches of one pass, always the same for the same number.
        """
        steps = per_pass * self.plan.passes
        optimiser = torch.optim.AdamW(
            network.parameters(), lr=self.plan.learning_rate, betas=(0.9, 0.95), weight_decay=0.0
        )
        if self.optimiser_state:
            optimiser.load_state_dict(self.optimiser_state)
        network.train()
        mean: dict[str, float] = {}
        saved = tick = self.clock()
        for batch in self._from(per_pass, batches):
            if self.spent(steps) >= 1:
                break
            warm = min(1.0, (self.done.step + 1) / WARMUP_STEPS)
            for group in optimiser.param_groups:
                group["lr"] = self.plan.learning_rate * warm * (1 - self.spent(steps))
            value, figures = loss(batch)
            value.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), CLIP)
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
            now = self.clock()
            self.done.seconds += now - tick
            tick = now
            self.done.step += 1
            self.done.tokens += batch.tokens
            for name, figure in figures.items():
                mean[name] = 0.9 * mean.get(name, figure) + 0.1 * figure
            if self.done.step % LOG_STEPS == 0:
                self.log(asdict(self.done) | {k: round(v, 4) for k, v in mean.items()})
            if now - saved > min(CHECKPOINT_SECONDS, self.plan.seconds / 4):
                self.save(self.running, network, optimiser)
                saved = tick = self.clock()
        self.save(self.result, network, None)
        self.running.unlink(missing_ok=True)

    def _from(self, per_pass: int, batches: Callable[[int], Iterator[Batch]]) -> Iterator[Batch]:
        """The batches from where the stage stands, pass after pass."""
        for number in range(self.done.step // per_pass, self.plan.passes):
            skip = self.done.step - number * per_pass
            for index, batch in enumerate(batches(number)):
                if index >= skip:
                    yield batch

