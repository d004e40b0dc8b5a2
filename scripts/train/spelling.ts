import { type Venue, venueOf } from '../../src/classify/offline/cues/signs.ts'
import { PURPOSES } from '../../src/classify/offline/intents/intents.ts'
import { charactersOf, newCharacters, SPELLED, SPELLING_LABELS } from '../../src/classify/offline/intents/spelling.ts'
import type { ModelFileHead } from '../../src/classify/offline/model/model-file.ts'
import type { PurposeExample } from './intent-examples.ts'
import { inSteps } from './joint.ts'
import { type Answered, trainOdds } from './linear.ts'

const BITS = 16
const STEPS = 20
/** A hard pull: the texts are few, some labels are wrong, and many runs of a text say the same. */
const DECAY = 1e-2

/** A text of a venue whose spelling counts. */
export interface Spelled extends Answered {
  /** Its place among the examples. */
  at: number
  venue: Venue
  /** The place of the purpose among `PURPOSES`. */
  label: number
}

export function spelledTexts(examples: readonly PurposeExample[]): Spelled[] {
  const characters = newCharacters()
  return examples.flatMap(({ row, platform, known, weight }, at) => {
    const venue = venueOf(platform)
    const intent = SPELLED[venue]?.intent
    const value = intent === undefined ? undefined : known[intent]
    if (intent === undefined || value === undefined) return []
    charactersOf(row.text, venue, characters)
    return [
      {
        at,
        venue,
        label: PURPOSES.indexOf(intent),
        buckets: characters.bucket.slice(0, characters.count),
        wanted: value === 1,
        weight,
      },
    ]
  })
}

/** One weight for every run of characters. The same head serves all venues, whose runs are apart. */
export function spellingHead(texts: readonly Spelled[]): ModelFileHead {
  const { weights } = trainOdds(texts, { bits: BITS, epochs: 10, rate: 0.2, decay: DECAY })
  // How common the purpose is the words have said already.
  return inSteps(weights, SPELLING_LABELS, BITS, Float64Array.of(0), STEPS)
}
