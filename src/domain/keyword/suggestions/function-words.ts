/**
 * Words that say nothing of what a post is about, by language. They are kept out of suggestions for as long as relevant
 * posts are in that language; where all posts of a language are noise, its function words are the best sign of it.
 */
const LANGUAGES: readonly string[] = [
  // English, with the words that stand in any post whatever it is about.
  `a about above after again against all almost already also although always am an and another any anybody anyone anything are aren around as ask at away
  back be became because become been before being best better between big both but by came can cannot come could couldn day days did didn different do does doesn doing don done down
  during each either else end enough even ever every everybody everyone everything far few find first for found from full further gave get gets getting give given go goes going gone
  gonna good got great guy guys had hadn hard has hasn have haven having he hello help her here hers herself hey hi him himself his hours how i if im in into is isn it its itself ive just keep kind knew
  know known last later least left less let like little ll long look looked looking looks lot lots m made make makes making man many may maybe me mean might mine minutes month more most much must my
  myself near need never new next nice no nobody none nor not nothing now of off often oh ok okay old on once one ones only or other others our ours out over own part people person perhaps place
  please post probably put quite rather re read real really right s said same saw say saying says second see seem seems seen several shall she should shouldn show shows since small so some somebody someone something
  sometimes soon still stop such sure t take taken takes taking tell than thank thanks that thats the their theirs them themselves then there these they thing things think this those though
  thought three through time times to today together told tomorrow too took top try trying turn two u under until up upon us use used using ve very via want wanted wants was wasn way we week weeks
  well went were weren what whatever when where whether which while who whole whom whose why will with within without won wont would wouldn wow year years yes yesterday yet you your yours yourself http https www com rt amp`,
  // German
  `aber alle als also am an auch auf aus bei bin bis bist da damit dann das dass dein dem den denn der des dich die dir doch dort du durch ein eine einem einen einer eines er es euch für gegen
  habe haben hat hatte hier ich ihm ihn ihr im immer in ist ja jetzt kann kein keine können man mehr mein mich mir mit muss nach nicht nichts noch nun nur ob oder ohne schon sehr sein sich sie sind so
  über um und uns unter vom von vor war warum was weil wenn wer werden wie wieder will wir wird wo zu zum zur`,
  // Spanish
  `a al algo ahora así aquí bien como con cuando de del desde donde dos el él ella ellos en eres es esa ese eso esta está este esto estoy fue ha hace hasta hay la las le les lo los más me mi mis mucho muy nada ni
  no nos o para pero por porque puede que qué quien se ser si sí sin sobre solo son soy su sus también te tengo tiene todo todos tu tus un una uno unos y ya yo`,
  // Portuguese
  `a agora ainda ao aos as até com como da das de dele do dos e é ela ele eles em então era essa esse esta está este eu foi isso isto já lá mais mas me meu minha muito na não nas nem no nos nós o os ou para pela
  pelo por porque pra quando que quem se sem ser seu só sou sua também te tem tenho ter tudo um uma vai você vou`,
  // French
  `ai alors au aussi avec avez bien c ça car ce cela ces cette comme d dans de des deux donc du elle elles en est et été être fait faire il ils j je jamais l la le les leur lui ma mais me même mes moi mon n ne nous on ont
  ou où par pas peut plus pour pourquoi qu quand que qui sa sans se ses si son sont suis sur ta tes toi ton tous tout très tu un une va vous y`,
  // Italian
  `a ad adesso ai al alla anche ancora che chi ci come con cosa così da dal dalla degli dei del della delle di dove e è ed era fare fatto gli ha hai ho i il in io la le lei lo loro lui ma me mi mio molto nel nella no noi non
  o ogni per però perché più poi prima qualcosa quando quella quello questa questo se sei senza si sia siamo solo sono stato su sua suo tra tu tutti tutto un una va`,
  // Dutch
  `aan al als altijd bij dan dat de deze die dit doen door een en er geen had heb hebben heeft het hier hij hoe ik in is ja je kan maar me meer men met mij mijn moet naar niet niets nog nu of om onder ook op over te tot toch uit van veel
  voor waar was wat we wel werd wie wil worden zal ze zelf zich zijn zo zonder zou`,
  // Indonesian and Malay
  `ada adalah aja aku akan anda apa atau banyak bisa buat dan dari dengan di dia gak ga gue ini itu jadi jika juga kalau kalo kami kamu karena ke kita lagi lebih mereka nya pada saja sama saya sudah tidak untuk udah yang yg`,
]

const LISTS = LANGUAGES.map((words) => new Set(words.split(/\s+/)))

/** A post is taken to be in a language with so many different function words of it. */
const WORDS_OF_LANGUAGE = 2
/** A language counts as one of the keyword's from this share of its relevant posts on. */
const SPOKEN_SHARE = 0.08
const TELLING_POSTS = 15

/**
 * The function words of the languages that relevant posts are in; of all languages when there are too few posts to
 * tell.
 */
export function functionWordsOf(relevant: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  const spoken = LISTS.filter((list) => relevant.length < TELLING_POSTS || shareIn(list, relevant) >= SPOKEN_SHARE)
  return new Set(spoken.flatMap((list) => [...list]))
}

function shareIn(list: ReadonlySet<string>, posts: readonly ReadonlySet<string>[]): number {
  const inLanguage = posts.filter((words) => [...words].filter((word) => list.has(word)).length >= WORDS_OF_LANGUAGE)
  return inLanguage.length / posts.length
}
