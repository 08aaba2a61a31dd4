/** Checks the rule data as a whole, for the build and the tests. */
import { COMBINATIONS } from './combinations.ts';
import { RULE_SETS } from './index.ts';
import { compilePattern, patternContext } from './pattern.ts';
import type { RuleSet } from './rule.ts';

/** Tags that the gate sets itself. */
const MADE_BY_GATE = new Set(['prior.distress', 'prior.risk', 'watch.two']);

function checkSet(set: RuleSet, seen: Set<string>, tags: ReadonlySet<string>): readonly string[] {
  const faults: string[] = [];
  const context = patternContext(set);
  for (const rule of set.rules) {
    if (seen.has(rule.id)) faults.push(`rules: ${rule.id}: the id occurs twice`);
    seen.add(rule.id);
    if (!rule.id.startsWith(`${set.language}.`)) faults.push(`rules: ${rule.id}: wrong language`);
    if (rule.any.length === 0) faults.push(`rules: ${rule.id}: no pattern`);
    if (rule.reason.trim() === '') faults.push(`rules: ${rule.id}: no reason`);
    for (const frame of rule.notIn ?? []) {
      if (!tags.has(frame)) faults.push(`rules: ${rule.id}: no rule sets ${frame}`);
    }
    for (const pattern of [...rule.any, ...(rule.unless ?? [])]) {
      try {
        new RegExp(compilePattern(pattern, context).source());
      } catch (error) {
        faults.push(`rules: ${rule.id}: ${error instanceof Error ? error.message : pattern}`);
      }
    }
  }
  return faults;
}

/** Every fault of the rule files, as one line each; empty when all is well. */
export function checkRules(sets: readonly RuleSet[] = RULE_SETS): readonly string[] {
  const seen = new Set<string>();
  const tags = new Set(sets.flatMap((set) => set.rules.flatMap((rule) => rule.tags ?? [])));
  const faults = sets.flatMap((set) => checkSet(set, seen, tags));
  for (const rule of COMBINATIONS) {
    if (seen.has(rule.id)) faults.push(`rules: ${rule.id}: the id occurs twice`);
    seen.add(rule.id);
    for (const tag of [...rule.all, ...(rule.now ?? [])]) {
      if (!tags.has(tag) && !MADE_BY_GATE.has(tag)) {
        faults.push(`rules: ${rule.id}: no rule sets ${tag}`);
      }
    }
  }
  return faults;
}
