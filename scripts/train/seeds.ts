import { BLAMING } from '../../src/classify/offline/text/negation.ts'
import type { Sentiment } from '../../src/domain/mention/classification.ts'

/**
 * Opinion words chosen by hand in languages of which the labelled sets hold little or nothing. Each is learned as a
 * text of one word, so that plain praise and plain complaints are understood there too.
 */
const WORDS: Record<Exclude<Sentiment, 'neutral'>, string> = {
  positive: `super toll großartig begeistert empfehlenswert ausgezeichnet hervorragend perfekt zufrieden klasse liebe hilfreich zuverlässig
    génial excellent parfait formidable magnifique bravo adore recommande satisfait pratique rapide utile
    excelente genial perfecto increíble encanta recomiendo maravilloso fantástico contento estupendo útil
    ótimo ótima excelente perfeito perfeita recomendo maravilhoso incrível adoro amei amo fantástico satisfeito
    ottimo eccellente perfetto fantastico consiglio adoro meraviglioso utile
    geweldig uitstekend fantastisch prachtig aanrader tevreden handig
    最高 素晴らしい 便利 大好き 好き 嬉しい 楽しい おすすめ 助かる 完璧 良い 綺麗
    很好 喜欢 推荐 优秀 完美 太棒了 好用 方便 满意
    отлично супер прекрасно рекомендую люблю спасибо удобно доволен świetny polecam doskonały harika mükemmel teşekkürler bagus mantap`,
  negative: `schlecht furchtbar schrecklich enttäuscht enttäuschend katastrophe fehlerhaft unzuverlässig ärgerlich mies wütend unbrauchbar abzocke
    nul nulle déçu déçue horrible catastrophe décevant inutile arnaque cassé pire mauvais lent
    horrible terrible pésimo decepcionado decepcionante estafa inútil fatal malo peor asco lento
    péssimo péssima horrível terrível decepcionado decepcionante ruim pior inútil lixo golpe lento
    pessimo orribile terribile deluso deludente inutile truffa schifo peggiore
    slecht vreselijk verschrikkelijk teleurgesteld waardeloos oplichting
    最悪 ひどい 嫌い 残念 使えない 不便 遅い 壊れた がっかり 悪い 困る バグ
    很差 垃圾 失望 糟糕 讨厌 太慢 难用 骗子
    ужасно плохо отвратительно разочарован кошмар обман okropny tragedia beznadziejny berbat kötü rezalet jelek kecewa`,
}

/**
 * Phrases chosen by hand whose words say the opposite of the phrase (negated opinions in languages of which the sets
 * hold few, and praise made of negative words), and plain ones with the same words, so that these do not change sides.
 * Apart by strokes.
 */
const PHRASES: Record<Exclude<Sentiment, 'neutral'>, string> = {
  positive: `never disappoints | never disappointed me | does not disappoint | can't complain | no complaints | nothing to complain about | not bad at all |
    can't recommend it enough | couldn't be happier | could not live without it | can't live without it | not a single problem | no problems so far | no regrets |
    i don't hate it | it doesn't suck | worth every penny | expensive but worth it | pricey but worth it | worth the price | never had a problem with it |
    nicht schlecht | keine probleme | kann mich nicht beschweren | enttäuscht nie | nie enttäuscht | möchte nicht mehr darauf verzichten | teuer aber gut |
    pas mal du tout | aucun problème | jamais déçu | ne déçoit jamais | je ne peux plus m'en passer | no me puedo quejar | nunca decepciona | ningún problema |
    no está nada mal | nada mal | sin ninguna queja | nunca decepciona | nenhum problema | não tenho do que reclamar | nada mau | non delude mai | nessun problema |
    niente male | non posso lamentarmi | niet slecht | geen problemen | niets te klagen |
    i recommend it to everyone | highly recommend | would recommend | works well | works as it should | very helpful | kann ich nur empfehlen | kann ich empfehlen |
    sehr zu empfehlen | funktioniert gut | bin zufrieden | je recommande | je le recommande à tous | ça marche bien | fonctionne très bien | très content |
    lo recomiendo | la recomiendo | recomiendo a todos | muy recomendable | muy buena experiencia | funciona muy bien | me gusta mucho | estoy contento |
    recomendo | recomendo a todos | gostei muito | funciona muito bem | boa experiência | lo consiglio | lo consiglio a tutti | consigliatissimo | funziona bene |
    mi piace molto | bella esperienza | sono soddisfatto | raad ik aan | werkt goed | erg tevreden`,
  negative: `do not recommend | i do not recommend | don't recommend it | would not recommend | wouldn't recommend | cannot recommend it | can't recommend it | not recommended |
    not good | not great | not worth it | not worth the money | not happy with it | not impressed | not a fan | doesn't work | does not work | stopped working | no good | not helpful |
    nicht gut | nicht zu empfehlen | nicht empfehlenswert | kann ich nicht empfehlen | würde ich nicht empfehlen | nicht zufrieden | funktioniert nicht | geht nicht mehr |
    nicht hilfreich | kein guter service | nie wieder | je ne recommande pas | ne recommande pas du tout | à ne pas recommander | pas bon | pas content | pas satisfait |
    ne marche pas | ne fonctionne pas | ne marche plus | plus jamais | je déconseille | no lo recomiendo | no la recomiendo | no recomiendo | no lo recomiendo a nadie | no recomendable |
    muy mala experiencia | mala experiencia | no funciona | no me gusta | no sirve | no estoy contento | nunca más | não recomendo | não recomendo a ninguém | não gostei |
    não funciona | não presta | não é bom | nunca mais | má experiência | péssima experiência | sconsiglio | sconsiglio a tutti | lo sconsiglio | non lo consiglio |
    non consiglio | non funziona | non mi piace | non va | mai più | brutta esperienza | non sono soddisfatto | niet goed | niet aan te raden | raad ik niet aan | werkt niet |
    niet tevreden | nooit meer`,
}

export interface Seed {
  id: string
  text: string
  sentiment: Sentiment
}

/** Single words, each as a text. */
export function seeds(): Seed[] {
  return seedsOf(WORDS, /\s+/)
}

/** Phrases, each as a text. */
export function phraseSeeds(): Seed[] {
  return seedsOf(PHRASES, /\s*\|\s*/)
}

/** Words of blame that a negation takes back, in short sentences, and the same words in earnest. */
export function turnedSeeds(): Seed[] {
  return FRAMES.flatMap(({ words, positive, negative }) =>
    words.flatMap((word) => [
      ...positive.map((frame) => seed('positive', frame.replace('*', word))),
      ...negative.map((frame) => seed('negative', frame.replace('*', word))),
    ]),
  )
}

const FRAMES = [
  {
    words: BLAMING.qualities,
    positive: [
      'not *',
      'not * at all',
      'it is not *',
      "it isn't *",
      "this isn't * at all",
      "the app isn't *",
      "they aren't *",
      "that wasn't *",
      'not that *',
    ],
    negative: ['*', 'it is *', 'this was * and it is not what i wanted'],
  },
  {
    words: BLAMING.ofPersons,
    positive: ["i don't * it", 'i do not * it', "i don't * it at all", "didn't * it"],
    negative: [],
  },
  {
    words: BLAMING.ofThings,
    positive: ["it doesn't *", 'it does not *', "it didn't *", "it won't *"],
    negative: ['it * and does not work'],
  },
  { words: BLAMING.third, positive: ['it never *', 'never *'], negative: ['it *', 'it * and i do not like it'] },
  {
    words: BLAMING.german,
    positive: ['nicht *', 'das ist nicht *', 'die app ist nicht *', 'gar nicht so *'],
    negative: ['das ist *'],
  },
  { words: BLAMING.french, positive: ['pas *', "c'est pas *", "ce n'est pas *"], negative: ['*'] },
  { words: BLAMING.spanish, positive: ['nada *', 'no está *', 'no es *'], negative: ['*'] },
  {
    words: BLAMING.things,
    positive: ['no *', 'no * so far', 'without any *', "i don't have any *", 'never any *'],
    negative: [],
  },
]

function seed(sentiment: Sentiment, text: string): Seed {
  return { id: `${sentiment}:${text}`, text, sentiment }
}

function seedsOf(texts: Record<Exclude<Sentiment, 'neutral'>, string>, between: RegExp): Seed[] {
  return (['positive', 'negative'] as const).flatMap((sentiment) =>
    [...new Set(texts[sentiment].split(between))].map((text) => seed(sentiment, text)),
  )
}
