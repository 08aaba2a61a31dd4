/** Response strategy. In this version the plan leaves the intent to the model's own head. */
import type { Affect } from '../affect/types.ts';

export interface Plan {
  /** Response intent asked of the model, or null: the model's intent head decides. */
  readonly intent: string | null;
  /** Communication mechanism (emotional reaction, interpretation, exploration), when chosen. */
  readonly mechanism: string | null;
  /** Whether the reply mirrors the person's feeling. */
  readonly mimicry: boolean;
}

/** Decide how to answer. Pure: everything it may look at is an argument. */
export function planResponse(_input: { readonly affect: Affect | null }): Plan {
  return { intent: null, mechanism: null, mimicry: false };
}
