/** Worry about another person. The speaker may be the only one who knows. */
import type { Rule } from '../rule.ts';

const DEAD = [
  '(killed|hung|hanged|shot) {self_other}',
  '(died by|committed|death by|lost to|lost him to|lost her to) suicide',
  '(took|taken|ended) (his|her|their) ..1 (own)? life',
];
const WORRY =
  '(want|wants|wanted|wanting|going|threatening|threatened|threatens|plans|planning|talking|talks|talked|keeps|says|said|saying|told|texted|posted|wrote|thinking|thinks|might|may|could|will|about|trying|tries|considering|wishes|wishing|scared|afraid|worried)';

export const THIRD_PARTY: readonly Rule[] = [
  {
    id: 'en.third.suicidal',
    level: 2,
    flags: ['third_party'],
    tags: ['topic.suicide'],
    any: [
      `{they} ..4 ${WORRY} ...6 (kill|killing|hang|hanging|shoot|shooting|hurt|hurting|harm|harming|drown) {self_other}`,
      `{they} ..4 ${WORRY} ...6 (commit suicide|committing suicide|suicide|suicidal|end (his|her|their) ..1 life|ending (his|her|their) ..1 life|end it all|ending it all|ending it|take (his|her|their) own life|not want to (live|be alive|be here anymore|wake up)|better off dead|jump off ..2 {high_place}|to overdose)`,
      '{they} ..3 (want|wants|wanted|wishes|says|said|told|tells|keeps|threatens|threatened|texted|posted|talks|talked) ...5 (to die|be dead|was dead|were dead|kill (himself|herself|themselves))',
      '{they} ..3 (is|are|has been|have been|was|feels|feel|seems|sounds|became|gets|got|might be|may be) ..2 suicidal',
      '{they} ..3 not want to ..1 (live|be alive|exist|be here anymore|wake up|live anymore)',
      '{they} ..3 (having|has|had|have) ..1 (suicidal|thoughts of suicide|a suicide)',
      '{they} ..2 (tried|attempted|trying|attempting) ..2 (to ..1 (kill|hang|hurt|shoot|drown) {self_other}|to end (his|her|their) life|to die|to commit suicide|suicide)',
      '{they} ..4 (suicide|goodbye) (note|letter|attempt|plan)',
      '(afraid|scared|worried|terrified|fear|think|know) ..2 (that)? (he|she|they|my {kin}) ..4 (kill|hurt|harm|hang|end) ..1 ({self_other}|(his|her|their) life|it)',
      '(worried|scared|afraid|terrified) ..4 (he|she|they|my {kin}) ..4 (suicide|suicidal|do something (stupid|bad|drastic)|hurt {self_other}|take (his|her|their) own life)',
      '(lost|losing|stop|save|help) ..3 (friend|son|daughter|brother|sister|mom|dad|him|her|them) ..6 (from (killing|suicide|ending)|who is suicidal)',
      '{they} ..4 (says|said|told|saying|tells|feels|thinks|wrote|texted) ...8 (better off without (him|her|them)|not do (life|this) anymore|not go on|no reason to live|not take it anymore|tired of (living|life)|wants to disappear|wish (he|she|they) (was|were) dead|end it)',
      '(suicidal) (friend|son|daughter|brother|sister|mom|mother|dad|father|wife|husband|partner|girlfriend|boyfriend|student|cousin|teen|teenager)',
    ],
    unless: [
      ...DEAD,
      '{past_far}',
      '(killing|kill) {self_other} ..2 (with|to|at|by|over|laughing|working|for)',
      '(going|about) to die',
      'die ..2 hair',
      '(dating|relationship|ghost*|broke up|breakup)',
      '(smok*|drinking|alcohol|overwork*)',
      '(character|movie|show|episode|novel|story|book|film|actor|squad)',
      '(i|me) ..2 (to die|be dead|suicidal|kill myself)',
      'hurt (his|her|their) ..1 (back|knee|ankle|leg|feelings)',
      '(want|wants|wanted|going|dying) to die (for|laughing|of)',
      '(dog|cat|puppy|horse|cancer|chemo|hospice|old age|surgery|coma)',
      'hurt* {self_other} (at|on|while|playing|doing|by|again playing)',
    ],
    notIn: ['frame.fiction', 'frame.game', 'frame.news'],
    evenNegated: true,
    reason: 'Another person at risk: its own route and words.',
  },
  {
    id: 'en.third.urgent',
    level: 3,
    flags: ['third_party'],
    any: [
      '{they} ..4 (has|have|holding|took|got|with|grabbed) ..3 (gun|knife|pills|rope|noose|blade) ..8 (kill|hurt|die|end|suicid*|goodbye|jump) ',
      '{they} ..3 (standing|sitting|is|are) ..2 on ..2 (bridge|ledge|roof|rooftop|railing|edge)',
      '{they} ..6 (kill|killing|hurt|end) ..1 ({self_other}|(his|her|their) life|it) ..2 (tonight|right now|now|today)',
      '{they} ..3 (suicidal) ..3 (tonight|right now)',
      '{they} ..4 (sent|left|wrote|posted) ..3 (suicide|goodbye) ..1 (note|letter|message|text|video)',
    ],
    unless: [...DEAD, '{past_far}', '(work|job|coworkers|office|retir*|moving)'],
    notIn: ['frame.fiction', 'frame.game', 'frame.news'],
    reason: 'Another person about to act.',
  },
  {
    id: 'en.third.overdose',
    level: 3,
    flags: ['third_party', 'medical_emergency'],
    any: [
      '{they} ..3 (took|swallowed|taken) ..3 (all|whole|bottle|bunch|too many|handful|lot|every) ..4 ({pills}|bottle)',
      '{they} ..2 (is|are) (not breathing|unconscious|unresponsive|not responding|not waking up|turning blue|passed out and|bleeding out|bleeding a lot|having a seizure|choking)',
      '{they} ..2 (will|can) not ..1 (wake up|breathe|respond)',
      '{they} ..2 (overdosed|is overdosing)',
    ],
    unless: [
      ...DEAD,
      '{past_far}',
      '(died|dead|funeral|passed|alarm|morning|school|work|photos|pictures|credit|money|test|exam|baby|dog|cat|dreams|fish|hamster)',
    ],
    notIn: ['frame.fiction', 'frame.game', 'frame.news'],
    evenNegated: true,
    reason: 'A medical emergency of someone near: emergency number now.',
  },
  {
    id: 'en.third.self-harm',
    level: 2,
    flags: ['third_party', 'self_harm'],
    any: [
      '{they} ..4 (cuts|cutting|harms|harming|burning|hurting|injuring|starving) {self_other}',
      '(has|have|had|with|see|saw|seen|found|noticed|hiding) ..2 (cuts|cut marks|scars|slashes) ..3 (on|over|down) (her|his|their) ..1 (arm|arms|wrist|wrists|leg|legs|thighs)',
      '{they} ..4 (self harms|self harming|self harm)',
      '(found|saw|noticed|seeing|see) ..4 (cuts|cut marks|scars|razor|blades) ..3 (on|in) (his|her|their|my {kin}) ..2 (arm|arms|wrist|wrists|legs|thighs|room|drawer|body)?',
    ],
    unless: ['{past_far}', '(shaving|cooking|accident|kitchen|surgery|off|slack|cat|dog|kitten)'],
    notIn: ['frame.fiction', 'frame.news', 'frame.academic'],
    reason: 'Another person’s self-injury.',
  },
  {
    id: 'en.third.bereaved',
    level: 1,
    tags: ['grief', 'topic.suicide'],
    any: [
      ...DEAD,
      '{they} ..4 (tried|attempted) ..2 (suicide|to kill {self_other})',
      '(his|her|their) suicide',
      '{they} ..3 suicid*',
    ],
    notIn: ['frame.fiction', 'frame.news', 'frame.game'],
    evenNegated: true,
    reason: 'Bereavement by suicide, or an attempt long past: care, no crisis route by itself.',
  },
];
