/** All rule sets as one engine, built on first use: compiling takes a few milliseconds. */
import { de } from './de.ts';
import { en } from './en/index.ts';
import { buildEngine, type Engine } from './engine.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { pt } from './pt.ts';
import type { RuleSet } from './rule.ts';

export const RULE_SETS: readonly RuleSet[] = [en, es, fr, de, pt, it];

let built: Engine | null = null;

/** @throws Error when a rule file is malformed, which the build check reports first. */
export function rules(): Engine {
  built ??= buildEngine(RULE_SETS);
  return built;
}
