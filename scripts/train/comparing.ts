import { aspectsOf, newAspects } from '../../src/classify/offline/comparing/aspects.ts'
import { COMPARED, placeOf } from '../../src/classify/offline/comparing/comparing.ts'
import { lineUp, newLineUp } from '../../src/classify/offline/comparing/line-up.ts'
import { partsOfRivals, type Rivals, rivalNameOf, rivalsFrom } from '../../src/classify/offline/comparing/rivals.ts'
import { addCues } from '../../src/classify/offline/cues/cues.ts'
import type { Parts } from '../../src/classify/offline/model/model-file.ts'
import { newReading, readPlain } from '../../src/classify/offline/text/reading.ts'
import { newTokens, tokenise } from '../../src/classify/offline/text/tokens.ts'
import { INTENTS } from '../../src/domain/mention/classification.ts'
import type { PurposeExample } from './intent-examples.ts'
import { FINE_STEPS, inSteps } from './joint.ts'
import { rowsFrom, type Task, train } from './linear.ts'

/** The set that says which of two things wins. */
const SET = 'comparison_compsent19'
const BITS = 16
/** How much a text counts that comes from no set of comparisons. */
const CHATTER = 0.1
/** How much a text of the set counts by its label; losers are rarest. */
const WEIGHTS = { NONE: 0.85, BETTER: 1.1, WORSE: 1.3 } as const

type Label = keyof typeof WEIGHTS

/** A softmax over how a text speaks of two things, and the names of things that people compare. */
export function comparingParts(examples: readonly PurposeExample[]): Parts {
  const rivals = rivalsOf(examples)
  const head = train(comparingTask(examples, rivals))
  const { sections } = partsOfRivals(rivals)
  return {
    heads: { 'intents.comparing': inSteps(head.weights, COMPARED, BITS, head.bias, FINE_STEPS) },
    sections,
    numbers: {},
  }
}

function rivalsOf(examples: readonly PurposeExample[]): Rivals {
  const tokens = newTokens()
  const named = (name: unknown) => {
    tokenise(String(name), tokens)
    return rivalNameOf(tokens, 0, tokens.count)
  }
  return rivalsFrom(
    examples.filter(({ set }) => set === SET).map(({ row }) => [named(row.object_a), named(row.object_b)] as const),
  )
}

function comparingTask(examples: readonly PurposeExample[], rivals: Rivals): Task {
  const reading = newReading()
  const text = newLineUp()
  const aspects = newAspects()
  const cues = new Float64Array(INTENTS.length)
  const parts: Int32Array[] = []
  const answers: number[] = []
  const weights: number[] = []
  for (const { set, row, term } of examples) {
    if (term === null || set === 'relevance_reddit') continue
    const compares = set === SET
    readPlain(row.text, reading)
    const place = placeOf(reading.tokens, term)
    addCues(reading.tokens, cues)
    // Brand sets do not say whether a text compares: those without a word of comparison serve as texts that do not.
    if (place === null || (!compares && cues[INTENTS.indexOf('comparison')]! > 0)) continue
    // The head is not asked of texts that set the keyword against nothing.
    if (!lineUp(reading, place, rivals, text)) continue
    aspectsOf(text, aspects)
    parts.push(aspects.bucket.slice(0, aspects.count))
    const label = compares ? (row.label as Label) : null
    answers.push(label === null ? COMPARED.indexOf('none') : answerOf(label, text.swapped))
    weights.push(label === null ? CHATTER : WEIGHTS[label])
  }
  const target = new Int8Array(parts.length * COMPARED.length)
  for (const [at, answer] of answers.entries()) target[at * COMPARED.length + answer] = 1
  return {
    rows: rowsFrom(parts),
    labels: COMPARED,
    target,
    weight: Float32Array.from(weights),
    bits: BITS,
    epochs: 7,
    rate: 0.2,
    decay: 1e-3,
  }
}

/** How the first thing does: the set speaks of the keyword, which may be the second. */
function answerOf(label: Label, swapped: boolean): number {
  const answer = { NONE: 'none', BETTER: swapped ? 'worse' : 'better', WORSE: swapped ? 'better' : 'worse' } as const
  return COMPARED.indexOf(answer[label])
}
