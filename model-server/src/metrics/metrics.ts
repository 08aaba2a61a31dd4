/**
 * Counters and gauges in Prometheus' text format (version 0.0.4). Labels come from fixed sets
 * (route patterns, status codes, reasons), never from a request's text.
 */

type Labels = Readonly<Record<string, string>>;

interface Gauge {
  readonly help: string;
  readonly read: () => number;
}

/** The counters of the server and their help texts. */
export const COUNTERS = {
  attune_requests_total: 'Requests by route and status.',
  attune_prompt_tokens_total: 'Prompt tokens of generations.',
  attune_prompt_tokens_reused_total: 'Prompt tokens whose state was kept from an earlier request.',
  attune_generated_tokens_total: 'Sampled tokens.',
  attune_generations_total: 'Generations by how they ended (stop, length, cancelled, error).',
  attune_queue_rejected_total: 'Requests refused because the queue was full.',
} as const;

/** Name of a counter. */
export type Counter = keyof typeof COUNTERS;

/** A registry; one per server. */
export class Metrics {
  readonly #values = new Map<Counter, Map<string, number>>();
  readonly #gauges = new Map<string, Gauge>();

  /** Add to a counter. */
  count(name: Counter, by = 1, labels: Labels = {}): void {
    const series = this.#values.get(name) ?? new Map<string, number>();
    const key = render(labels);
    series.set(key, (series.get(key) ?? 0) + by);
    this.#values.set(name, series);
  }

  /** Declare a gauge that is read when it is asked for. */
  gauge(name: string, help: string, read: () => number): void {
    this.#gauges.set(name, { help, read });
  }

  /** The exposition text. */
  text(): string {
    const lines: string[] = [];
    for (const [name, help] of Object.entries(COUNTERS)) {
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} counter`);
      for (const [counter, series] of this.#values) {
        if (counter !== name) continue;
        for (const [labels, value] of series) lines.push(`${name}${labels} ${value}`);
      }
    }
    for (const [name, { help, read }] of this.#gauges) {
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${read()}`);
    }
    return `${lines.join('\n')}\n`;
  }
}

function render(labels: Labels): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${value}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
