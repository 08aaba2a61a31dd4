/** The English protocol text. */

import type { Labels, Pools } from '../text.ts';
import { toPools } from '../text.ts';
import { CORE } from './core.ts';
import { STEPS } from './steps.ts';

/** Nobody with clinical training has approved the English text yet. */
export const EN_REVIEWED_BY: string | null = null;

export const EN: Pools = toPools('en', { ...CORE, ...STEPS });

export const EN_LABELS: Labels = {
  emergency: 'Emergency',
  localEmergency: 'your local emergency number',
  call: 'call',
  sms: 'text',
  smsKeyword: 'text {keyword} to {number}',
  checked: 'Numbers last checked on',
  disputed: 'sources disagree, may have changed',
  readsEnglish: true,
};

/**
 * Feelings that may be given back to the person. A word that is not here is never repeated, so
 * that no method and no judgement comes back as an echo.
 */
export const FEELINGS: readonly string[] = [
  'afraid',
  'alone',
  'angry',
  'anxious',
  'ashamed',
  'broken',
  'desperate',
  'drained',
  'empty',
  'exhausted',
  'guilty',
  'helpless',
  'hopeless',
  'hurt',
  'isolated',
  'lonely',
  'lost',
  'miserable',
  'numb',
  'overwhelmed',
  'rejected',
  'sad',
  'scared',
  'stuck',
  'terrified',
  'tired',
  'trapped',
  'unloved',
  'worthless',
];
