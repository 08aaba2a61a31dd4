/** The document behind `GET /help`, and what an error may carry for someone in danger. */
import { disclosureIn } from './disclosure.ts';
import { type HelplineQuery, helplinesFor } from './helplines.ts';
import type { Resource } from './types.ts';

export interface HelpPage {
  readonly message: string;
  /** Country that the list is for, or null when none is known. */
  readonly country: string | null;
  readonly emergency: Resource | null;
  readonly resources: readonly Resource[];
  readonly fallback: boolean;
  readonly checked_on: string;
  readonly disclosure: string;
}

const MESSAGE =
  'If you or someone else is in danger now, call the emergency number. The lines below are run by people; numbers and hours can change, and "checked_on" says how old this list is.';

/** Everything that is known for a place, ready for JSON. */
export function helpPage(query: HelplineQuery): HelpPage {
  return { message: MESSAGE, ...helplinesFor(query), disclosure: disclosureIn('en') };
}

/** Emergency number first, then the first services: for an error body that must stay small. */
export function safetyResourcesForError(query: HelplineQuery): readonly Resource[] {
  const { emergency, resources } = helplinesFor(query);
  return [...(emergency ? [emergency] : []), ...resources].slice(0, 6);
}
