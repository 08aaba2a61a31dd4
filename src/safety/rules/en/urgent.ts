/** Danger to others, danger from others, medical emergencies, loss of contact with reality. */
import type { Rule } from '../rule.ts';

const GAMES = [
  '(laser tag|paintball|nerf|video game|game|boss fight|pictures|photos|photo|hoops|free throws|shot|tequila|movie scene)',
];
const PLAY = [...GAMES, '(lol|joking|jokingly|figuratively)'];

export const URGENT: readonly Rule[] = [
  {
    id: 'en.others.intent',
    level: 2,
    flags: ['harm_to_others'],
    tags: ['threat'],
    any: [
      '(going to|want to|will|plan to|planning to|about to|need to|have to|ready to) ..1 (stab|shoot|murder|strangle|slaughter|massacre|poison|execute|behead) ..1 {people}',
      '(going to|want to|plan to|planning to|about to|ready to) ..1 kill ..1 (someone|somebody|everyone|everybody|people|them all|all of them|my family|my parents|my kids|my wife|my husband|my baby|my children)',
      '(going to|will|want to|plan to|planning to) ..1 kill (him|her|them|that guy|my {kin}|my boss) ..3 (tonight|tomorrow|with|when|and|after|for real|i swear)',
      '(going to|will|want to|need to) ..1 (hurt|beat|attack) ..1 (someone|somebody|people|everyone|everybody|my kids|my children|my {kin}|them all)',
      'kill (someone|somebody|everyone) ..2 (tonight|today|soon|with my)',
      '(shoot|stab|kill) (everybody|everyone) (who|if|and|there|at|in)',
      '(make|making) ..2 pay with their li*',
      '(tonight|tomorrow) ..2 people will (be dead|die)',
      '(thoughts|thinking|fantasies|urge|urges) (of|about|to) ..1 (killing|hurting|stabbing|shooting|kill|hurt|stab|shoot) ..1 (people|someone|others|him|her|them|my {kin}|everyone|my baby|my kids)',
    ],
    unless: [
      ...PLAY,
      '(not|never) (want|going|mean|meant) to (hurt|kill|harm) ',
      '(feelings|if my|if i have|so funny|cute|for eating|boss raid)',
      'kill ..1 (him|her|them) ..2 if (he|she|they)',
      '(roach|roaches|ants|fleas|termites|turkey|deer|ducks|birds|zombies|monsters|goblins|enemies|spider|spiders|bug|bugs|mosquito*)',
      '(he|she|they|someone|somebody) ..2 (was|is|were|are|tried|might|could|will) ..2 (to|going to|trying to)? (kill|hurt|stab|shoot)',
    ],
    notIn: ['frame.fiction', 'frame.game', 'frame.news'],
    reason: 'Intent to harm others.',
  },
  {
    id: 'en.others.weapon-place',
    level: 2,
    flags: ['harm_to_others'],
    tags: ['threat'],
    any: [
      '(shoot up|bomb|blow up|burn down) ..1 (the|my|this) (school|office|church|house|mall|place|building|workplace)',
      '(bring|bringing|take|taking|brought) ..1 (gun|knife|weapon) to (school|work|class)',
    ],
    unless: GAMES,
    notIn: ['frame.fiction', 'frame.game', 'frame.news'],
    reason: 'A weapon or an attack and a place: a laugh after it does not clear it.',
  },
  {
    id: 'en.others.threat',
    level: 1,
    flags: ['harm_to_others'],
    tags: ['threat'],
    any: [
      'i ..2 (going to|will|want to|wanted to|plan to) ..1 (kill|murder|hurt) ..1 (him|her|them)',
      '(kill him|kill her|kill them) before',
    ],
    unless: PLAY,
    notIn: ['frame.fiction', 'frame.game', 'frame.news', 'frame.joke'],
    reason: 'Mostly a figure of speech; counts with means.',
  },
  {
    id: 'en.voices.command',
    level: 2,
    flags: ['harm_to_others'],
    tags: ['voices'],
    any: [
      '(a|the|this|that|my) voice ..4 (telling|tells|says|saying|wants|keeps) ..5 (kill|hurt|stab|die|end|jump|cut|burn|attack)',
      'voices ..4 (tell|telling|tells|told|say|saying|says|want|wants|order*|command*|scream*) ..4 (kill|hurt|die|end|do it|jump|cut|stab|burn|attack|harm|bad things)',
      'voices ..3 (getting|get|are) ..1 (louder|worse|too loud|stronger)',
    ],
    unless: ['(choir|singing|kids|children|neighbors|neighbours|actors|character*|opera|podcast)'],
    notIn: ['frame.fiction', 'frame.game'],
    reason: 'Commanding or growing voices (case C02).',
  },
  {
    id: 'en.voices.hear',
    level: 1,
    tags: ['voices', 'watch'],
    any: [
      '(hear|hearing|heard) ..1 voices',
      'voices in my head',
      '(the|these|my) voices (are|will|keep|again)',
    ],
    unless: ['(outside|downstairs|neighbors|neighbours|choir|hallway|next door|house|noise|door)'],
    notIn: ['frame.fiction', 'frame.game'],
    reason: 'Voices: weak alone.',
  },
  {
    id: 'en.abuse.danger',
    level: 2,
    flags: ['abuse'],
    any: [
      '(husband|wife|boyfriend|girlfriend|partner|ex|dad|father|stepdad|mom|mother|he|she|stalker) ..3 (says|said|threatened|threatens|threatening|swore|told me|going|trying|tried|will|wants) ..5 kill me ..2 (if|tonight|when|and|$)',
      '(he|she|husband|wife|boyfriend|girlfriend|partner|ex|dad|father|stepdad) ..3 (has|got|holding|with|pulled|pointed) ..2 (gun|knife) ..4 (me|at me|door|outside|house)',
      '(choked|choking|strangled|strangling|beat|beating|raped|raping|stabbed) me ..3 (tonight|today|right now|again|just now|last night|unconscious|until)',
      '(locked|hiding|hid) ..3 (bathroom|room|closet|car) ..8 (husband|boyfriend|partner|he|she|dad|hurt|afraid|scared)',
      '(he|she) ..2 (is|are) (hurting|hitting|beating|attacking) me',
    ],
    unless: [
      '(boss|teacher|coach|deadline|typo|homework|grades|report card|laundry|dishes|lol|curfew|forget|forgot|late|birthday|joking|find out i|when he sees|when she sees|when they see|kidding|messed|broke|spent|lost|dented|wrecked|scratched|missed)',
      '{past_far}',
      '(my|the) (dog|cat|horse|car)',
    ],
    notIn: ['frame.fiction', 'frame.game', 'frame.news', 'frame.joke'],
    reason: 'Violence from someone near, now or threatened.',
  },
  {
    id: 'en.abuse.sign',
    level: 1,
    flags: ['abuse'],
    any: [
      '(husband|wife|boyfriend|girlfriend|partner|dad|father|stepdad|mom|mother|uncle|he|she) ..2 (hits|hit|beats|beat|slaps|slapped|chokes|punches|punched|abuses|abused|abusing|rapes|raped|molested|touches) me',
      'i ..3 (was|got|am|been|being) ..1 (abused|raped|molested|beaten|sexually assaulted|assaulted)',
      '(abusive) (husband|wife|boyfriend|girlfriend|partner|relationship|father|mother|dad|mom|parents|marriage|ex)',
    ],
    unless: ['(ball|car|truck|game|race|chess|with the news|up with|softball|baseball)'],
    notIn: ['frame.fiction', 'frame.game', 'frame.news'],
    reason: 'Told violence: flag; its own route comes with the protocol for it.',
  },
  {
    id: 'en.medical.now',
    level: 3,
    flags: ['medical_emergency'],
    any: [
      'i ..2 (am|think i am|might be|must be) ..2 having a (heart attack|stroke|seizure)',
      'i (can not|am not able to) breathe ..4 (help|chest|anymore|at all|please|throat|lips)',
    ],
    unless: [
      '(almost|nearly|thought|like|felt like|practically|laughing|as if|gave me|give me|mask|anxiety|panic|workout|running)',
      '{past_far}',
    ],
    notIn: ['frame.fiction', 'frame.game', 'frame.joke'],
    evenNegated: true,
    reason: 'Medical emergency now: emergency number first.',
  },
  {
    id: 'en.medical.sign',
    level: 3,
    flags: ['medical_emergency'],
    any: [
      'i ..1 (am|can not stop) ..1 bleeding (out|heavily|badly|a lot|so much|everywhere|to death)',
      '(crushing|severe|terrible|bad) ..1 chest pain',
      '(throat|tongue) ..3 (closing|swelling) ..3 (up|breathe|help|now)',
    ],
    unless: [
      '(almost|nearly|thought|like|felt like|practically|laughing|as if|gave me|give me|mask|anxiety|panic|workout|running)',
      '{past_far}',
    ],
    notIn: ['frame.fiction', 'frame.game'],
    evenNegated: true,
    reason: 'A named sign of an emergency: a laugh after it does not clear it.',
  },
];
