import { describe, expect, it } from 'vitest';
import { Metrics } from '../../src/metrics/metrics.ts';

describe('metrics', () => {
  it('are in Prometheus text format: help, type, one line per series', () => {
    const metrics = new Metrics();
    metrics.count('attune_requests_total', 1, { route: '/v1/affect', status: '200' });
    metrics.count('attune_requests_total', 2, { route: '/v1/affect', status: '200' });
    metrics.count('attune_generated_tokens_total', 5);
    metrics.gauge('attune_sequences_busy', 'Sequences in use.', () => 3);
    const lines = metrics.text().split('\n');
    expect(lines).toContain('# TYPE attune_requests_total counter');
    expect(lines).toContain('attune_requests_total{route="/v1/affect",status="200"} 3');
    expect(lines).toContain('attune_generated_tokens_total 5');
    expect(lines).toContain('# TYPE attune_sequences_busy gauge');
    expect(lines).toContain('attune_sequences_busy 3');
    expect(lines.at(-1)).toBe('');
    for (const line of lines.slice(0, -1)) {
      expect(line).toMatch(/^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[^{}]*\})? -?[0-9.e+]+)$/);
    }
  });
});
