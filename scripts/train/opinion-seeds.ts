import { BLAMING } from '../../src/classify/offline/text/negation.ts'
import type { Sentiment } from '../../src/domain/mention/classification.ts'
import { readSeeds } from './seed-file.ts'

export interface Seed {
  id: string
  text: string
  sentiment: Sentiment
}

/**
 * Opinion words chosen by hand in languages of which the labelled sets hold little or nothing. Each is learned as a
 * text of one word, so that plain praise and plain complaints are understood there too.
 */
export function seeds(): Seed[] {
  return seedsIn('opinion-words')
}

/**
 * Phrases chosen by hand whose words say the opposite of the phrase (negated opinions in languages of which the sets
 * hold few, and praise made of negative words), and plain ones with the same words, so that these do not change sides.
 */
export function phraseSeeds(): Seed[] {
  return seedsIn('opinion-phrases')
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

function seedsIn(name: string): Seed[] {
  return readSeeds(name, ['sentiment', 'text']).map(({ sentiment, text }) => seed(sentiment as Sentiment, text))
}
