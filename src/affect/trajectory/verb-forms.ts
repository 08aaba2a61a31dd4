/** Word lists of the tense rules. English, closed classes first, then the verbs of everyday talk. */

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).filter((word) => word !== ''));
}

export const PRESENT_AUXILIARIES = setOf(`
  am is are 'm 're 's do does don't doesn't isn't aren't ain't have has 've haven't hasn't
  can can't cannot will 'll won't shall may must need wanna gonna should shouldn't idk dunno`);

export const PAST_AUXILIARIES = setOf(`was were wasn't weren't did didn't had hadn't`);

/** They take the time of what they depend on: "I would tell her", "I was told I would die". */
export const MODALS = setOf(`would wouldn't could couldn't might 'd`);

export const PERFECT = setOf(`have has 've haven't hasn't 's`);

/** After these a participle is no verb of its own: "was told", "got fired", "feel lost". */
export const COPULAS = setOf(`
  am is are 'm 're 's was were wasn't weren't isn't aren't ain't be been being have has had 've 'd
  haven't hasn't hadn't having get gets getting got gotten feel feels feeling felt look looks
  looking looked seem seems seemed stay stayed remain keep kept become became left made makes
  make sound sounds`);

/** Past tense only, so no auxiliary before it can take them. */
export const PLAIN_PAST = setOf(`
  was were had did went came saw knew gave took began drank sang drove wrote broke spoke woke chose
  fell grew threw flew ate ran swam tore wore forgot hid rode rose shook stole swore froze blew drew
  became withdrew mistook forgave overcame arose bit sank sprang stank gotta`);

/** Past tense and participle alike. */
export const PAST_OR_PARTICIPLE = setOf(`
  felt thought said told left lost made kept heard found met sold built spent sent got bought brought
  caught taught fought sought held led fed fled meant dreamt learnt slept swept wept crept dealt
  stood understood sat won paid laid stuck struck hung dug spun shot slid lit bent lent burnt spilt
  cheated lied tried cried died`);

/** The same in present and past. */
export const SAME_FORM = setOf(`
  read put hit hurt let cut quit shut beat set cost bet split spread cast burst rid`);

/** Those of `SAME_FORM` that tell an event rather than a habit when nothing else decides. */
export const EVENTS = setOf(`quit hit shut beat split burst`);

/** Participles after "have", beside those in -ed and in `PAST_OR_PARTICIPLE`. */
export const PARTICIPLES = setOf(`
  been gone done seen known given taken begun drunk sung driven written broken spoken woken chosen
  fallen grown thrown flown eaten run swum torn worn forgotten hidden ridden risen shaken stolen
  sworn frozen blown drawn become come forgiven overcome had gotten bitten sunk had`);

/** In -ed, but states or no verbs at all when they stand without a subject. */
export const STATES = setOf(`
  excited scared tired worried annoyed bored confused disappointed disgusted embarrassed exhausted
  depressed devastated frustrated terrified shocked stressed relieved relaxed pleased overwhelmed
  ashamed amazed surprised impressed interested ashamed heartbroken hurt lost broken stuck left
  blessed thrilled delighted disturbed ashamed isolated unloved unwanted rejected abandoned burned
  burnt drained concerned offended irritated humiliated nauseated agitated alarmed touched moved
  satisfied motivated inspired determined convinced prepared used supposed married divorced retired
  unemployed`);

export const NOT_VERBS = setOf(`
  need feed seed bed red indeed speed breed hundred bleed weed shed naked wicked sacred wed ted
  succeed proceed exceed agreed embed led fed`);

export const SUBJECTS = setOf(`
  i you he she it we they this that these those there everything nothing something anything everyone
  everybody nobody someone somebody one who which what things people`);

/** Those that are rarely objects, so that a verb after them starts a clause. */
export const CLAUSE_SUBJECTS = setOf(`i he she we they it you there this that everything nothing
  everyone nobody someone things people`);

export const THIRD_PERSON = setOf(`he she it this that everything nothing something someone everyone
  nobody who which`);

export const DETERMINERS = setOf(`my your his her its our their the a an this that these those some
  any no every each such another`);

export const POSSESSIVES = setOf(`my your his her our their the`);

export const ADVERBS = setOf(`
  just really so very too never always ever still also even only actually finally already almost
  often sometimes usually not barely hardly kinda sorta literally totally completely absolutely
  truly suddenly then now recently currently lately probably definitely honestly simply all both
  once again soon today tonight much quite pretty rather rarely constantly basically seriously`);

/** Third-person forms that follow nouns in everyday talk; others need a pronoun before them. */
export const THIRD_PERSON_VERBS = setOf(`
  is isn't has hasn't does doesn't makes feels says keeps wants needs seems looks goes gets hurts
  means loves hates knows thinks works takes comes helps sounds tells gives treats leaves starts
  stops happens scares breaks hits kills drives brings turns matters bothers worries haunts`);

/** Words that may stand before the subject of a new clause and belong to it. */
export const OPENERS = setOf(`
  and but or so then now today yet because cause cuz since although though while whereas when
  whenever until till if unless that what how why where who after before as still once however
  only like than ever even`);

export const CONNECTIVES = setOf(`
  and but or so then yet because cause cuz since although though while whereas when whenever
  until till if unless that what how why where who after before as however`);

export const PREPOSITIONS = setOf(`of to in on at by for with from about over under into like as
  than without`);
