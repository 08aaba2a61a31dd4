/** What the operator reads. */

/** Something worth a line in the operator's log; never a message text, a key or a token. */
export type LogRecord = Readonly<Record<string, string | number | boolean>> & {
  readonly level: 'info' | 'warn' | 'error';
  readonly event: string;
};
