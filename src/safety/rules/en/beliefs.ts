/**
 * What people believe and decide when they are close to it: that their death would help, that it is
 * time, that it is settled. C-SSRS 1, 2, 4; warning signs of the AAS and the WHO.
 */
import type { Rule } from '../rule.ts';

const OTHER_SUBJECT =
  '(he|she|they|it|who|people|bugs|plants|dog|cat|phone|battery) ..3 (should|deserve|deserves|need|needs|going) ..1 (to)? (die|be dead)';

export const BELIEFS: readonly Rule[] = [
  {
    id: 'en.belief.death-helps',
    level: 2,
    tags: ['topic.suicide'],
    any: [
      'my ..1 (death|dying) ..5 (easier|better|gift|relief|favor|favour|blessing|solve|help|fix|happier|set them free)',
      '(get over it|move on|forget me|forget about me|be happy|be fine|be okay|recover) ..4 if i (was|were|am) (dead|gone)',
      '(pray|praying|long|longing|beg|begging|ask|asking|waiting|wish|wishing|hope|hoping) ..1 for ..1 (death|my death|it all to end|an end to it)',
      '(death|dying|suicide) is ..2 (answer|solution|option|way|choice|exit|friend|mercy|freedom)',
      'only death ..1 (can|could|will|would)',
      '(except|but) death $',
      '(everyone|everybody|they|family|kids|parents|world|people) would ..1 be better off ..1 $',
      '(everyone|everybody|they all|family|world|they) ..4 (wants|want) me (dead|gone|to die)',
      '(head|mind|brain|voice|voices|thoughts|something|depression|inner) ..3 (tell|tells|telling|says|saying|wants|keeps|whispers|screams|screaming) ..5 (end it|to die|die|do it|kill myself|end my life|jump|should be dead|should die)',
      '(guts|courage|nerve|balls|strength|bravery|energy|way) to ..1 (end it|do it|die|jump|kill|end my|go through with it)',
    ],
    unless: [
      'way to (do it|die) ..1 (in|with) ..2 (game|excel|python|style)',
      'way to do it',
      '(strength|energy|way|courage|nerve) to do it ',
      '(his|her|their|dog*|cat*|grandma*|grandpa*) ..2 death ..4 (relief|blessing|mercy)',
      '(terminal|hospice|cancer|suffering from|dementia) ..12 (relief|blessing|mercy)',
      'death is ..2 (not|never)',
      '(death penalty|death row|death metal|life and death|to death)',
      '(want|wants) me to die (laughing|of)',
    ],
    notIn: ['frame.fiction', 'frame.game', 'frame.academic', 'frame.embarrassed'],
    reason: 'Death seen as a help to others or oneself.',
  },
  {
    id: 'en.belief.life',
    level: 2,
    evenNegated: true,
    any: [
      '(never|not) ..1 (meant|supposed|made) to (be born|be alive|exist)',
      'wish i ..1 (was|were) not ..1 (here anymore|alive|around anymore|living|breathing|in this world)',
      '(lost|losing|no|without|zero) ..3 will to (live|go on|exist|survive)',
      'life ..8 want out ..1 $',
      '(my|this) life ..3 (should|needs to|must|has to|deserves to) ..1 (end|be over|stop)',
      '(worthless|pointless|useless|meaningless) and should ..1 (end|die)',
      'my life is not worth (anything|living|saving|it|a)',
      'can not ..1 live with (this|the) (pain|guilt|shame|thoughts)',
      'can not ..1 keep (living|existing|being alive|breathing)',
      'not want to ..1 keep (going|living|fighting|trying|existing|breathing) ..1 (anymore|like this|$)',
      '(done|finished|through) ..1 (living|existing|being alive|breathing)',
      'i (am going to|will) ..1 be gone (soon|tomorrow|tonight|forever|by morning)',
      'this is the end (for me|of me|of my life)',
      '(this is|today is|tonight is|will be|tomorrow is|it is) ..1 my (final|last) (day|night|hour|evening|hours) ..1 (on earth|on this earth|alive|breathing)',
      '(this is|today is|tonight is|will be) ..1 my final (day|night|hour|evening)',
      'tonight (is|will be) my last night',
      '(my|the|it is) time to (die|end it|end it all|end my life|leave this world)',
      'time for me to (die|go forever|end it|leave this world|disappear|end things)',
      '(should|deserve to|must|supposed to) ..1 (die|be dead|be killed) ..1 $',
    ],
    unless: [
      OTHER_SUBJECT,
      'end it (with|between)',
      '(vacation|trip|work|job|office|school|shift|weekend|gym|class|flight|hotel|college|holiday|contract|parking|game|diet)',
      '(not|never) supposed to',
    ],
    notIn: ['frame.fiction', 'frame.game', 'frame.embarrassed', 'frame.joke'],
    reason: 'Life felt to be over or to have to end.',
  },
  {
    id: 'en.belief.decided',
    level: 2,
    tags: ['goodbye'],
    any: [
      '(think|thinking|know|thought|imagine|imagining|planned|planning) ..2 how i (would|will|could|am going to) ..1 (do it|end it|die|go)',
      '(made|make|making) (my|the|a|up my) ..1 (decision|mind|choice) to ..1 (die|end|end it|go through with it|leave this)',
      '(made|making) ..1 peace with ..1 (dying|death|ending|my death|leaving this)',
      'decided to ..1 (die|end it|end everything|end things|end my)',
      'know when i am going to die',
      '(stop|keep|talk) me ..1 (from|out of) ..1 (dying|doing it|killing|ending|jumping|suicide)',
      '(someone|somebody|you|people|anyone) to know ..4 before i (die|go|am gone|do it)',
      '^ ..3 (going to|will|gonna) do it (tonight|right now|today|now) ..1 $',
      '(almost|nearly) killed myself ..3 (last night|yesterday|because i|on purpose|again|this week|tonight)',
    ],
    unless: [
      '(propose|proposal|ask him|ask her|laundry|dishes|homework|workout|clean|bath|garage|report|cook|laughing|tripped|fell|stairs|bike|ladder|skiing)',
      '(grandma|grandpa|mother|father|mom|dad|husband|wife) ..6 (peace with|made peace)',
    ],
    notIn: ['frame.fiction', 'frame.game'],
    reason: 'A decision taken (C-SSRS 4).',
  },
  {
    id: 'en.belief.at-hand',
    level: 3,
    tags: ['means.have'],
    any: [
      '(edge|railing|ledge|side) of ..2 (bridge|cliff|roof|building|platform|balcony|overpass) ..2 $',
      '(standing|sitting) on ..2 (ledge|railing|parapet)',
      '(sitting|lying|standing|laying) on ..2 (tracks|train tracks|railway)',
      'i ..2 holding ..2 (gun|pistol|razor|blade|noose|scalpel)',
      '{weapon} ..8 (use it|going to use it|using it) on (myself|me)',
      '{pills} ..3 in front of me',
      '(took|taken|swallowed) ..3 {pills} ..4 (to (end|die|kill|sleep forever|not wake|do it)|and (hope|want|wish))',
      '(gun|rifle|pistol) (in my hand|in my lap|to my head|in my mouth|against)',
    ],
    unless: [
      '(view|photo|photos|beautiful|tourist|dived|swim|sunset|party|fixing|painting|cleaning|fishing|hunting|range|video|movie|toy|airsoft|museum|pharmacist|pharmacy|doctor)',
      '(he|she|they|someone|robber|man|guy|kid|cat|dog|bird) ..3 (standing|sitting|on|holding|with)',
    ],
    notIn: ['frame.fiction', 'frame.game', 'frame.news'],
    reason: 'Place or means at hand (C-SSRS 5, 6).',
  },
];
