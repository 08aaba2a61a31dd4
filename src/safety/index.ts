/** The safety room: everything that other rooms may use. */
export { DISCLOSURE, disclosureIn } from './disclosure.ts';
export { gate, gateAll } from './gate.ts';
export { createGuard, GUARD_REPLY, type Guard } from './guard.ts';
export { type HelpPage, helpPage, safetyResourcesForError } from './help.ts';
export { type DataError, type HelplineData, readHelplines } from './helpline-data.ts';
export { readHelplineFile } from './helpline-file.ts';
export { CHECKED_ON, type HelplineAnswer, type HelplineQuery, helplinesFor } from './helplines.ts';
export { asksWhoIsThere, identityReply } from './identity.ts';
export { type ProtocolInput, pinnedEvent, respond } from './protocol.ts';
export { replay } from './replay.ts';
export {
  advance,
  checkInDue,
  initialMemory,
  mergeRisk,
  needsProtocol,
  priorRisk,
} from './state.ts';
export type {
  GateInput,
  GateResult,
  ProtocolReply,
  Resource,
  RiskFlag,
  RiskLevel,
  SafetyEvent,
  SafetyLanguage,
  SafetyMemory,
  SafetyState,
} from './types.ts';
