/** Figures for people: what `eval` prints without `--json`. Pure. */

/** Nested figures as rows of one table: `ci95.top1`; numbers of four decimals, lists as text. */
export function flat(figures: object, prefix = ''): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(figures).flatMap(([name, value]: [string, unknown]) => {
      const key = prefix + name;
      if (Array.isArray(value)) return [[key, value.map(rounded).join(' ')]];
      if (typeof value === 'object' && value !== null) {
        return Object.entries(flat(value, `${key}.`));
      }
      return [[key, rounded(value)]];
    }),
  );
}

function rounded(value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toFixed(4)) : value;
}
