/**
 * English words that carry grammar rather than content: they are no causes. Written by hand for this
 * purpose (articles, pronouns, prepositions, conjunctions, auxiliaries, negations, degree words,
 * fillers of chats); no list of others was taken over. Parts of contractions stand as the tokenizer
 * cuts them ("don't" is `don` and `t`), and as people type them without the apostrophe.
 */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `
  a an the this that these those such same other others another each every either neither both all
  any some none no few fewer many much more most less least several enough half own
  i me my mine myself we us our ours ourselves you your yours yourself yourselves u ur
  he him his himself she her hers herself it its itself they them their theirs themselves one ones
  someone somebody something anyone anybody anything everyone everybody everything nobody nothing
  who whom whose which what whatever whoever whichever where wherever when whenever why how however
  here there somewhere anywhere everywhere nowhere
  of to in on at by for with without from into onto upon out off over under about above below
  across after against along among around as before behind beneath beside besides between beyond
  despite down during except inside instead near outside past per since than through throughout
  till until toward towards up via within
  and or but nor so yet if because cuz cos although though unless while whereas whether then else
  also too either
  am is are was were be been being isn aren wasn weren ain
  do does did done doing don doesn didn
  have has had having haven hasn hadn
  will would shall should can could may might must ought wo won wouldn shan shouldn couldn mightn
  mustn needn gonna gotta wanna cannot
  dont doesnt didnt isnt arent wasnt werent aint havent hasnt hadnt wont wouldnt shouldnt couldnt
  cant im ive id ill youre youve youll hes shes theyre theyve weve thats theres whats lets
  s t d m ll re ve n
  not never ever always often sometimes usually again already still just only even almost quite
  rather very really pretty so totally actually literally basically maybe perhaps probably possibly
  anyway anyways once twice now today tonight yesterday tomorrow soon later ago lately
  like let get gets got getting
  yes yeah yep yea ya yup nope nah ok okay k oh ah aw aww ooh wow hey hi hello well um uh hmm haha
  hahaha lol lmao omg please thanks thank pls btw
  `
    .trim()
    .split(/\s+/),
);

/** What joins the parts of one word: apostrophes and hyphens. */
const JOINTS = /['’‘ʼ-]/;

/**
 * Whether a word has no content; of a compound ("you've", "so-so") every part must be such a word.
 *
 * @param word as typed, in any case.
 */
export function isFunctionWord(word: string): boolean {
  return word
    .toLowerCase()
    .split(JOINTS)
    .every((part) => part === '' || FUNCTION_WORDS.has(part));
}
