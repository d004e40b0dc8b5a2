import { INTENTS, type Intent } from '../../../domain/mention/classification.ts'
import { hashOfWord, KIND, type Tokens } from '../text/tokens.ts'

/** A phrase that speaks for an intent, and how much: 3 decides alone, 1 needs company. */
interface Cue {
  rest: readonly number[]
  intent: number
  weight: number
}

/**
 * Adds what the text's phrases say for every intent (in the order of INTENTS) to `into`. Each intent is capped at 4.
 */
export function addCues(tokens: Tokens, into: Float64Array): void {
  into.fill(0, 0, INTENTS.length)
  for (let at = 0; at < tokens.count; at += 1) {
    if (tokens.kind[at] !== KIND.word && tokens.kind[at] !== KIND.hashtag) continue
    const cues = CUES.get(tokens.hash[at]!)
    if (cues === undefined) continue
    for (const cue of cues)
      if (follows(tokens, at + 1, cue.rest)) into[cue.intent] = Math.min(MOST, into[cue.intent]! + cue.weight)
  }
}

/** True when the text holds one of the phrases. */
export function holdsPhrase(tokens: Tokens, phrases: PhraseSet): boolean {
  for (let at = 0; at < tokens.count; at += 1) {
    const rests = phrases.get(tokens.hash[at]!)
    if (rests?.some((rest) => follows(tokens, at + 1, rest))) return true
  }
  return false
}

/** Phrases by the hash of their first word. */
export type PhraseSet = ReadonlyMap<number, readonly (readonly number[])[]>

export function phraseSet(phrases: readonly string[]): PhraseSet {
  const set = new Map<number, (readonly number[])[]>()
  for (const phrase of phrases) {
    const [first, ...rest] = phrase.split(' ').map(hashOfWord)
    set.set(first!, [...(set.get(first!) ?? []), rest])
  }
  return set
}

function follows(tokens: Tokens, from: number, rest: readonly number[]): boolean {
  if (from + rest.length > tokens.count) return false
  for (let at = 0; at < rest.length; at += 1) if (tokens.hash[from + at] !== rest[at]) return false
  return true
}

const MOST = 4

/** Per intent its phrases with their weight before them. They add to what the trained head says. */
const PHRASES: Record<Intent, string> = {
  bug_report:
    '2 expected behavior|2 actual behavior|2 current behavior|2 describe the bug|1.5 reproduce|2 traceback|1.5 ' +
    'typeerror|1.5 fails with|1 fails|1.5 failing|1.5 no longer works|1.5 blank screen|1.5 black screen|1.5 keeps ' +
    'closing|1.5 force close|2 system information|1.5 crash|2 fehlermeldung|1.5 funktioniert nicht|1.5 no ' +
    'funciona|2 mensaje de error|1.5 se cierra solo|1.5 ne fonctionne plus|1.5 ne marche plus|2 não funciona|1.5 ' +
    'trava|2 non funziona|2 crashes|2 crashing|1.5 crashed|1.5 bug|1.5 bugs|1 buggy|2 stack trace|2 steps to ' +
    "reproduce|2 error message|1 broken|1.5 stopped working|1.5 does not work|1.5 doesnt work|1.5 doesn't " +
    "work|1.5 not working|1.5 isn't working|1.5 won't open|1.5 won't load|1.5 keeps freezing|1 regression|1 " +
    'freezes|1 exception|1 segfault|1.5 throws an error|1 stürzt ab|1 fehler|1 plante',
  buy_intent:
    '2.5 going to buy|2 gonna buy|2 wanna buy|2.5 kaufen will|1.5 zu kaufen|2.5 quiero comprar|2.5 comprar el|2 ' +
    'pense acheter|2 veux acheter|2.5 quero comprar|2.5 voglio comprare|2.5 looking to buy|2.5 thinking of ' +
    'buying|2.5 thinking about buying|2 want to buy|2 going to buy|2 will buy|1.5 should i buy|2 should i get|2 ' +
    'worth buying|2 worth the price|1.5 worth it|2.5 looking for a tool|2.5 looking for an alternative|2 looking ' +
    'for alternatives|2 recommend a tool|2 any recommendations|1.5 recommendations for|2 suggestions for a|1.5 ' +
    'where can i buy|2 free trial|1.5 ready to buy|1.5 just ordered|1.5 pre-order|1.5 preordered|1 which plan|2 ' +
    'considering buying|2 evaluating|1.5 what do you use for|2 shopping for|2 need to buy|2.5 take my money|2 ' +
    "just bought|2 can't wait to get|2 saving up for|2 i want to get|1.5 want one|2.5 about to buy|2 tempted to " +
    'buy|2 might buy|2 planning to buy|1.5 ordering',
  churn_intent:
    '2.5 cancelar mi|2.5 cancelar minha|2.5 cancelei minha|2.5 disdire|2.5 disdetto|2.5 résilié|2 darme de ' +
    'baja|2.5 dado de baja|1.5 am quitting|2 terminate my|2 switch from|2 switching from|2 move away from|2.5 ' +
    "trocar de operadora|2 verlasse|2.5 change d'opérateur|2.5 cambio de compañía|2.5 never use|2.5 lost a " +
    'customer|2.5 not renew|1.2 quit|1.2 quitting|1.4 cancel|1.4 cancelling|1.6 terminate|1.8 terminating|1 ' +
    'leave|0.8 leaving|1.2 contract|0.8 subscription|1 want to leave|1 will leave|1 have to leave|1 i leave|1.2 ' +
    'want to switch|1.2 will switch|1.2 have to switch|1 switch|1.2 switch to|1.2 switching to|0.8 provider|1 ' +
    'done with|1 go to another|1 verlassen|1.5 wechsle|1 muss|2.5 get rid of|1 kündigen|1.5 vertrag|1.5 ' +
    'wechseln|3 cancel my subscription|3 cancelled my subscription|3 canceled my subscription|3 cancelling my ' +
    'subscription|3 canceling my subscription|3 cancel my account|3 delete my account|3 deleted my account|3 ' +
    'deleting my account|3 close my account|3 closed my account|2.5 switching away|2.5 switched away|3 moving ' +
    'away from|3 moved away from|3 migrating away|2.5 migrate away|2.5 migrating off|2.5 moving off|3 leaving ' +
    "for|2.2 i'm leaving|2.2 i am leaving|2.2 we are leaving|2.5 looking for an alternative to|2.5 looking for " +
    'alternatives to|2.5 alternatives to|2 unsubscribe|2.5 unsubscribed|2 uninstalled|2 uninstalling|2.5 ' +
    'ditching|2.5 ditched|1.5 done with you|1.2 goodbye|2.5 quit using|2.5 stopped using|2.5 stop using|3 cancel ' +
    'my contract|3 cancel my plan|2.5 switch provider|2.5 change provider|2.5 last straw|2.5 want to cancel|2.5 ' +
    'going to cancel|2.5 will cancel|2 i cancelled|2.5 churned|2.5 moved off|2.5 ditch|2 i canceled|3 not ' +
    "renewing|3 won't renew|2.5 kündigen|2.5 gekündigt|2.5 dar de baja|2.5 résilier|2 want to quit|2 going to " +
    'leave|2 time to leave|2 time to switch|1.5 good bye|2.5 ich kündige|2.5 kündige|2 kündigung|2.5 ich ' +
    'verlasse|2.5 will wechseln|2.5 anbieter wechseln|2.5 wechsle zu|2 weg von|2.5 werde wechseln|2 changing ' +
    'provider|2 find another|2 another provider',
  comparison:
    '2 besser als|2 schlechter als|2.5 im vergleich|2 mejor que|2 peor que|2 meilleur que|2.5 par rapport|2 ' +
    'melhor que|2 pior que|2 meglio di|2 peggio di|2.5 vs|2.5 versus|2.5 compared to|2.5 compared with|2 ' +
    'compared|2 better than|2 worse than|2 faster than|2 slower than|2 cheaper than|2 easier than|2 alternative ' +
    'to|2 alternatives to|2 superior to|2 inferior to|1.5 or should i|2 difference between|2 instead of|2 ' +
    'outperforms|2 switched from|2 moved from|2 prefer|1.5 comparison',
  complaint:
    '1.5 terrible|1.5 awful|1.5 worst|1.5 angry|1.5 unacceptable|1.5 disappointed|1.5 disappointing|1.5 waste of ' +
    'money|1.5 waste of time|1.5 rip off|1 scam|1.5 never again|1.5 fed up|1.5 no response|1.5 still waiting|1.5 ' +
    'horrible|1.5 ridiculous|1 useless|1.5 customer service|1.5 refund|1 frustrating|1 frustrated|1 annoying|1.5 ' +
    'sucks|1.5 lost my work|1 hate|1.5 hated|1.5 terrible product|1.5 junky|1.5 garbage|1.5 worthless',
  event:
    '2 jetzt anmelden|2 únete a|2 inscríbete|2 inscrivez vous|2 inscreva se|2 iscriviti|2 webinar|2 meetup|2 ' +
    'conference|2 keynote|1.5 join us|2 register now|2 rsvp|2 hackathon|1.5 livestream|1.5 speaking at|2 see you ' +
    'at|1.5 workshop|1.5 summit|1.5 tickets|1 tonight at|1.5 save the date',
  feedback:
    '2.5 feature_request|2 the solution you|1.5 should be able|1.5 should allow|1.5 ability to|1.5 option to|1.5 ' +
    'an option|2 please provide|2 please allow|1.5 please make|1.5 i would like|2 make it possible|1.5 need a ' +
    'way|1.5 there should be|2 enhancement|1.5 would help|1.5 could be improved|2 wäre schön|2 wäre toll|2 ' +
    'wünsche mir|2 sería genial|2 estaría bien|2 ce serait bien|2 serait bien|2 seria ótimo|2 seria bom|2 sarebbe ' +
    'bello|2 feature request|2 would be nice|2 would be great|2 would love to see|2 it would be|1.5 i wish|2 wish ' +
    'it had|2 wish there was|2 please add|2 could you add|2 should add|2 needs to add|2 missing feature|1.5 ' +
    'suggestion|1.5 needs improvement|1.5 could be better|1.5 would like to see|2 add support for|1.5 please ' +
    "fix|1.5 lacks|2 i suggest|2 i'd suggest|2 my suggestion|2 please consider|1.5 consider adding|2 should be " +
    'possible|2 allow users|1.5 allow us|1.5 let us|1.5 would be better|2 would be useful|2 would be helpful|2 ' +
    "would be awesome|1.5 need the ability|1.5 it'd be|1.5 i'd like|1.5 needs to be|1 should be|1 should have|1.5 " +
    'make it easier|2 bring back',
  hiring:
    '2 estamos contratando|2 nous recrutons|2 stiamo assumendo|2 stellt ein|2 jetzt bewerben|2 vaga de|2 oferta ' +
    "de empleo|2 offre d'emploi|2 offerta di lavoro|2.5 we're hiring|2.5 we are hiring|2.5 is hiring|2.5 now " +
    'hiring|2 hiring|2 job opening|2 open position|2 open positions|2 apply now|2.5 join our team|2 looking for a ' +
    'developer|2 remote job|2 job|1 salary|2 vacancy|1.5 full time|1.5 internship|2 wir suchen',
  industry_insight:
    '1.5 market share|1.5 according to|1.5 report|1.5 survey|1.5 trends|1.5 the future of|1.5 industry|1.5 ' +
    'study|1.5 forecast|1 analysis|1.5 analysts|1 revenue|1.5 growth|1.5 billion|1 percent|1.5 quarter',
  launch:
    '2 jetzt verfügbar|2 ya está disponible|2 maintenant disponible|2 já está disponível|2 ora disponibile|2.5 ' +
    'show hn|2 launching|2 just launched|2.5 we launched|2 launched|2 announcing|2 introducing|2 now available|2 ' +
    'new release|2 released|2 is out|2 just released|2 just shipped|2 we built|2 i built|2 i made|2 unveils|2 ' +
    'announces|2 product hunt|1.5 open sourced|1.5 beta|1.5 changelog',
  praise:
    '1.5 love|2 highly recommended|2 highly recommend|1.5 fantastic|1.5 amazing|1.5 awesome|1.5 excellent|1.5 ' +
    'great work|1.5 great job|1.5 excellent job|1.5 well done|1.5 kudos|1.5 brilliant|1.5 wonderful|1.5 works ' +
    'great|1.5 really happy|1.5 very happy|1.5 best|1 thank you|1 thanks|1.5 impressed',
  pricing:
    '2.5 kostet|2.5 cuesta|2.5 coûte|2.5 custa|2.5 costa|2.5 preise|2.5 precios|2 preços|2 prezzi|2 prezzo|2 zu ' +
    'teuer|2 trop cher|2 too expensive|3 pricing|2.5 price|2.5 prices|2.5 price increase|2.5 price hike|2.5 ' +
    'expensive|2.5 overpriced|2.5 per month|2.5 a month|2 per seat|2 per user|2.5 cheaper|2.5 too much money|2 ' +
    'cost|2 costs|2 subscription|2.5 how much is|2.5 how much does|2 free tier|2 free plan|2 paid plan|2 ' +
    'discount|2 billing|2 charged|2 affordable|2 cheap|1.5 worth the money|2 preis|2 teuer|2 precio|2 caro|2 ' +
    'prix|2 preço',
  promotional:
    '2 giveaway|2 promo code|2 discount code|2 coupon|2 use code|2 sign up now|2 check out my|2 subscribe to my|2 ' +
    'buy now|2 limited time|2 limited offer|2 special offer|2 free shipping|2 link in bio|1.5 click here|2 order ' +
    "now|2 on sale|2 follow us|1.5 sponsored|2.5 shameless plug|2.5 founder here|2.5 i'm the founder|2.5 i am the " +
    "founder|1.5 i'm building|1.5 i am building|1.5 we're building|1.5 check it out|2 try it free|2 feedback " +
    'welcome|2 early access|2 join the waitlist|2 retweet to win|2 save up to|2 airdrop',
  question:
    '2.5 can anyone|2.5 does anyone|2.5 has anyone|2.5 anyone know|2.5 anyone else|2.5 how do i|2.5 how can i|2.5 ' +
    'how do you|2.5 how to|2.5 is there a|2.5 is there any|2.5 is it possible|2.5 what is the best|2.5 which ' +
    'one|2.5 which plan|2.5 should i|2 any idea|2 any ideas|2 any advice|2 any tips|2 ask hn|2 help me|2 i need ' +
    "help|2 what's the|2 what is|2 why does|2 why is|2 why do|2.5 can i|2.5 could someone|2.5 can someone|2.5 wie " +
    "kann|2.5 weiß jemand|2.5 hat jemand|2.5 alguien sabe|2.5 cómo puedo|2.5 comment faire|2.5 quelqu'un|2.5 " +
    'alguém sabe|2.5 como faço|2 how can|2 how should|1.5 what does|2 wondering|2 please help|2 need help|2 not ' +
    'sure how|2 how would|1.5 what are the|2 thanks in advance|2 what is the difference|1.5 which version',
  testimonial:
    "2.5 uso desde|2 j'utilise|2 ich nutze|2 ich benutze|2.5 seit jahren|2.5 hace años|2 depuis des années|2 há " +
    "anos|2 da anni|2.5 i've been using|2.5 i have been using|2.5 we've been using|2.5 we have been using|2 been " +
    "using|2.5 i use it|2.5 i currently use|2.5 we currently use|2 i've used|2 we use|2 i used|2 i use this|2.5 " +
    'we use it|2.5 helped me|2.5 helps me|2.5 helped us|2.5 saved me|2.5 saved us|2 saves me|2.5 changed my ' +
    'life|2.5 game changer|2.5 since i started|2.5 after using|2.5 in my experience|2.5 i switched to|2.5 we ' +
    "switched to|2.5 our team uses|2 for years|2.5 couldn't live without",
}

const CUES: ReadonlyMap<number, readonly Cue[]> = cueTable()

function cueTable(): Map<number, Cue[]> {
  const table = new Map<number, Cue[]>()
  for (const [intent, name] of INTENTS.entries()) {
    for (const entry of PHRASES[name].split('|')) {
      const [weight, ...words] = entry.split(' ')
      const [first, ...rest] = words.map(hashOfWord)
      table.set(first!, [...(table.get(first!) ?? []), { rest, intent, weight: Number(weight) }])
    }
  }
  return table
}
