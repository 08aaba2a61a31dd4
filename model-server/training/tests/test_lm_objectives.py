"""The joint loss on a tiny random model, the figures on held-out conversations, the added vocabulary."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from lm_tiny import encoder, one_example, persona, sample, tiny_config, tiny_model, wrapping

from lm import batching, diversity, objectives, slots
from lm import model as models

HEADS = ("lm", "affect", "intent", "judge")


def epoch(seed: int) -> list[batching.Batch]:
    layout = batching.Layout(judged_share=1)
    return list(batching.epoch(list(sample()), wrapping(), list(persona()), seed, 512, layout))


def test_the_loss_of_every_head_falls_within_thirty_steps():
    network = tiny_model().train()
    optimiser = torch.optim.AdamW(network.parameters(), lr=1e-2)
    history: list[dict[str, float]] = []
    seed = 0
    while len(history) < 30:
        for batch in epoch(seed):
            by_head = objectives.losses(network, batch)
            sum(objectives.HEAD_WEIGHTS[h] * v for h, v in by_head.items()).backward()
            optimiser.step()
            optimiser.zero_grad()
            history.append({h: v.item() for h, v in by_head.items()})
        seed += 1
    for head in HEADS:
        first = torch.tensor([row[head] for row in history[:3]]).mean()
        last = torch.tensor([row[head] for row in history[-3:]]).mean()
        assert 10 < first < 12, head
        assert last < first / 2, head


def test_the_ranking_of_one_batch_can_be_learned():
    network, batch = tiny_model().train(), epoch(0)[0]
    optimiser = torch.optim.AdamW(network.parameters(), lr=1e-2)
    history = []
    for _ in range(30):
        ranking = objectives.losses(network, batch)["ranking"]
        ranking.backward()
        optimiser.step()
        optimiser.zero_grad()
        history.append(ranking.item())
    # Guessing among five replies costs ln 5.
    assert 1.3 < history[0] < 2.0
    assert history[-1] < history[0] / 2


def test_the_loss_is_the_full_vocabulary_cross_entropy_at_the_targets():
    network, example = tiny_model(sharp=True).eval(), one_example(0, distractors=[(5, 6, 7)])
    with torch.no_grad():
        found = objectives.losses(network, batching.collate([example]))
        plain = network(input_ids=torch.tensor([example.ids])).logits[0].log_softmax(-1)
    for head in ("lm", "affect", "intent"):
        expected = -torch.stack([plain[p, t] for p, t in getattr(example, head)]).mean()
        assert found[head].item() == pytest.approx(expected.item(), rel=1e-4)


def test_a_head_without_targets_is_left_out_instead_of_giving_not_a_number():
    example = replace(one_example(3), affect=[], intent=[])
    assert set(objectives.losses(tiny_model(), batching.collate([example]))) == {"lm"}


def test_the_ranking_loss_is_the_cross_entropy_of_the_true_reply_by_log_odds():
    network, example = tiny_model(sharp=True).eval(), one_example(0, distractors=[(5, 6, 7), (8, 9)])
    batch = batching.collate([example])
    with torch.no_grad():
        found = objectives.losses(network, batch)
        logits = network.lm_head(objectives.hidden_states(network, batch)[batch.targets["judge"][0]])
    odds = (logits[:, slots.GOOD] - logits[:, slots.BAD]).tolist()
    expected = torch.logsumexp(torch.tensor(odds), 0).item() - odds[0]
    assert len(odds) == 3
    assert found["ranking"].item() == pytest.approx(expected, rel=1e-4)


def test_the_diversity_loss_stands_beside_the_plain_one_only_when_weights_are_given():
    network, batch = tiny_model(), batching.collate([one_example(0)])
    weights = torch.ones(slots.BASE_VOCAB_SIZE + slots.ADDED_ROWS)
    plain, both = objectives.losses(network, batch), objectives.losses(network, batch, weights)
    assert "diversity" not in plain
    assert both["diversity"].item() == pytest.approx(both["lm"].item(), rel=1e-5)
    assert objectives.HEAD_WEIGHTS["diversity"] == diversity.CEM_FACTOR


def test_evaluation_figures_follow_the_probabilities_of_the_model():
    network = tiny_model(sharp=True)
    held_out = list(sample())
    found = objectives.evaluate(network, batching.evaluation(held_out, wrapping(), list(persona())))
    nll, count, won = 0.0, 0, []
    hits: dict[str, list[bool]] = {"emotion_top1": [], "emotion_top5": [], "intent_top1": []}
    mass: dict[str, list[float]] = {"emotion_mass": [], "intent_mass": [], "judge_mass": []}
    emotions = slice(slots.EMOTION_IDS[0], slots.EMOTION_IDS[-1] + 1)
    intents = slice(slots.INTENT_IDS[0], slots.INTENT_IDS[-1] + 1)
    for batch in batching.evaluation(held_out, wrapping(), list(persona()), tokens_per_batch=1):
        with torch.no_grad():
            hidden = objectives.hidden_states(network.eval(), batch)
            log = network.lm_head(hidden).log_softmax(-1)
        nll -= sum(log[p, t].item() for p, t in zip(*(x.tolist() for x in batch.targets["lm"]), strict=True))
        count += len(batch.targets["lm"][0])
        for p, t in zip(*(x.tolist() for x in batch.targets["affect"]), strict=True):
            order = (log[p, emotions].argsort(descending=True) + emotions.start).tolist()
            hits["emotion_top1"].append(order[0] == t)
            hits["emotion_top5"].append(t in order[:5])
            mass["emotion_mass"].append(log[p, emotions].exp().sum().item())
        for p, t in zip(*(x.tolist() for x in batch.targets["intent"]), strict=True):
            hits["intent_top1"].append(log[p, intents].argmax().item() + intents.start == t)
            mass["intent_mass"].append(log[p, intents].exp().sum().item())
        odds = [(log[p, slots.GOOD] - log[p, slots.BAD]).item() for p in batch.targets["judge"][0].tolist()]
        mass["judge_mass"] += [log[p, [slots.GOOD, slots.BAD]].exp().sum().item() for p in batch.targets["judge"][0]]
        won += [odds[true] > odds[wrong] for true, wrong in batch.groups]
    assert torch.tensor(found["ppl_token"]).log().item() == pytest.approx(nll / count, rel=1e-4)
    assert found["judge_pairwise"] == pytest.approx(sum(won) / len(won))
    for name, outcomes in hits.items():
        assert found[name] == pytest.approx(sum(outcomes) / len(outcomes)), name
    for name, shares in mass.items():
        assert found[name] == pytest.approx(sum(shares) / len(shares), rel=1e-3), name


def test_added_slot_rows_start_near_their_words_and_leave_the_base_rows_alone():
    torch.manual_seed(0)
    base = models.LlamaForCausalLM(tiny_config(slots.BASE_VOCAB_SIZE))
    before = base.get_input_embeddings().weight.detach().clone()
    models.extend_vocabulary(base, encoder())
    rows = base.get_input_embeddings().weight.detach()
    assert rows.shape[0] == slots.BASE_VOCAB_SIZE + slots.ADDED_ROWS
    assert torch.equal(rows[: slots.BASE_VOCAB_SIZE], before)
    assert base.lm_head.weight is base.get_input_embeddings().weight
    for emotion, row in zip(slots.EMOTIONS, slots.EMOTION_IDS, strict=True):
        word = before[encoder()(f" {emotion}")].mean(dim=0)
        assert torch.cosine_similarity(rows[row], word, dim=0) > 0.9
