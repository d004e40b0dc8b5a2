import {
  FIRST_INTENT,
  MENTION_TASKS,
  marginSigns,
  mentionIntents,
  mentionSentiment,
  TRAIT_BITS,
} from '../../src/classify/offline/mention/layer.ts'
import { TRAITS } from '../../src/classify/offline/mention/traits.ts'
import { WORD_BITS } from '../../src/classify/offline/mention/words.ts'
import type { Parts } from '../../src/classify/offline/model/model-file.ts'
import { INTENTS, type Intent, SENTIMENTS, type Sentiment } from '../../src/domain/mention/classification.ts'
import { quantise } from './linear.ts'
import { FOLDS, isMention, type MentionExample, mentionExamples } from './mention-examples.ts'
import { bestIntentLine, bestMoodLines, learnSureness } from './mention-lines.ts'
import { learnLogistic, type MentionWeights, scoreOf, type TraitScale, traitScaleOf } from './mention-logistic.ts'
import type { Stage } from './stage.ts'

/** The last layer, which weighs the other stages' verdicts by what mentions of real keywords were worth to a reader. */
export const mentionStage: Stage = {
  name: 'mention',
  follows: ['sentiment', 'intents', 'relevance'],
  learn: (_, before) => partsOfMention(learnMention(mentionExamples(before))),
}

/** Where each task is decided, and how sure the sentiment is. */
export interface MentionLines {
  lines: readonly number[]
  sureness: readonly number[]
}

export interface LearnedMention extends MentionLines {
  scale: TraitScale
  /** See `MentionModel`. */
  tied: readonly number[]
  weights: readonly MentionWeights[]
}

function learnMention(examples: readonly MentionExample[]): LearnedMention {
  const scale = scaleOf(examples)
  const weights = MENTION_TASKS.map((_, task) => learnTask(examples, scale, task))
  return { scale, weights, tied: tiedTo(examples), ...linesFrom(examples, foldedOdds(examples)) }
}

/** For every mention the log-odds of each task by weights that have not seen its term. */
export function foldedOdds(examples: readonly MentionExample[]): Float64Array[] {
  const odds = examples.map(() => new Float64Array(MENTION_TASKS.length))
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const learned = examples.filter((example) => example.fold !== fold)
    const scale = scaleOf(learned)
    for (const task of MENTION_TASKS.keys()) {
      const weights = learnTask(learned, scale, task)
      for (const [at, example] of examples.entries())
        if (example.fold === fold) odds[at]![task] = scoreOf(weights, scale, example.inputs)
    }
  }
  return odds
}

/** From odds of weights that have not seen the terms, so that the lines hold for new terms. */
export function linesFrom(examples: readonly MentionExample[], odds: readonly Float64Array[]): MentionLines {
  const lines = new Float64Array(MENTION_TASKS.length)
  const mentions = [...examples.keys()].filter((at) => isMention(examples[at]!))
  const opinions = mentions.filter((at) => examples[at]!.row.sentiment !== null)
  const sentiments = opinions.map((at) => examples[at]!.row.sentiment as Sentiment)
  const moodLines = bestMoodLines(
    opinions.map((at) => [odds[at]![POSITIVE]!, odds[at]![NEGATIVE]!] as const),
    sentiments,
  )
  lines.set(moodLines, Math.min(POSITIVE, NEGATIVE))
  const above = (of: ArrayLike<number>) => Float64Array.from(of, (value, task) => value - lines[task]!)
  const line = bestIntentLine(
    mentions.map((at) => odds[at]!),
    mentions.map((at) => examples[at]!.row.intents as Intent[]),
    (of, tried) => mentionIntents(above(of).map((value, task) => (task < FIRST_INTENT ? value : value - tried))),
  )
  lines.fill(line, FIRST_INTENT)
  const shares = new Float64Array(SENTIMENTS.length)
  const verdicts = opinions.map((at, index) => {
    const decided = above(odds[at]!)
    const sentiment = mentionSentiment(decided, shares)
    return { signs: marginSigns(decided, sentiment), right: sentiment === sentiments[index] }
  })
  return { lines: [...lines], sureness: learnSureness(verdicts) }
}

/** Smoothed by the share among all mentions. */
export function tiedTo(examples: readonly MentionExample[]): number[] {
  const opinions = examples.filter(({ row }) => SENTIMENTS.includes(row.sentiment as Sentiment))
  return INTENTS.flatMap((intent) => {
    const having = opinions.filter(({ row }) => (row.intents as Intent[] | undefined)?.includes(intent))
    const usual = (having.length + 1) / (opinions.length + 1)
    return SENTIMENTS.map((sentiment) => {
      const fits = ({ row }: MentionExample) => row.sentiment === sentiment
      return rounded((having.filter(fits).length + TIED_DOUBT * usual) / (opinions.filter(fits).length + TIED_DOUBT))
    })
  })
}

function scaleOf(examples: readonly MentionExample[]): TraitScale {
  return traitScaleOf(examples.filter(isMention).map(({ inputs }) => inputs))
}

function learnTask(examples: readonly MentionExample[], scale: TraitScale, task: number): MentionWeights {
  const answers = examples
    .filter(({ weight }) => weight[task]! > 0)
    .map(({ inputs, wanted, weight }) => ({ inputs, wanted: wanted[task]!, weight: weight[task]! }))
  const name = MENTION_TASKS[task]!
  if (name === 'meant')
    return learnLogistic(answers, scale, { traits: 30, words: 1 }, { traits: SENSE_TRAITS, words: false })
  return learnLogistic(answers, scale, PULLS[name] ?? PULL_OF_INTENTS, { traits: null, words: true })
}

export function partsOfMention({ scale, weights, lines, sureness, tied }: LearnedMention): Parts {
  const classes = weights.length
  const traits = new Float32Array(classes << TRAIT_BITS)
  const words = new Float32Array(classes << WORD_BITS)
  for (const [task, own] of weights.entries()) {
    for (const [at, value] of own.traits.entries()) traits[at * classes + task] = value
    for (const [at, value] of own.words.entries()) words[at * classes + task] = value
  }
  const biasOf = ({ bias }: MentionWeights) => bias
  const head = quantise(
    { labels: MENTION_TASKS, bits: TRAIT_BITS },
    { weights: traits, bias: Float64Array.from(weights, biasOf) },
  )
  const scales = [...scale.factor].map(rounded)
  // The bias takes the means back, as the rounded weights have them.
  const bias = head.bias.map((value, task) => {
    let mean = 0
    for (const [at, of] of scale.mean.entries()) mean += of * scales[at]! * head.weights[at * classes + task]!
    return rounded(value - mean * head.scale[task]!)
  })
  return {
    heads: {
      'mention.traits': { ...head, bias },
      'mention.words': quantise(
        { labels: MENTION_TASKS, bits: WORD_BITS },
        { weights: words, bias: new Float64Array(classes) },
        WORD_LEVELS,
      ),
    },
    sections: {},
    numbers: {
      'mention.scales': scales,
      'mention.lines': lines.map(rounded),
      'mention.sureness': sureness.map(rounded),
      'mention.tied': tied,
    },
  }
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000
}

const POSITIVE = MENTION_TASKS.indexOf('positive')
const NEGATIVE = MENTION_TASKS.indexOf('negative')
/** Whether another sense is meant shows in the words of the context, not in what people write about. */
const SENSE_TRAITS = Uint8Array.from(TRAITS, (name) => Number(/^(?:relevance|evidence) /.test(name)))
/** Found on folds over terms; half or twice as much makes little difference. */
const PULLS: Readonly<Record<string, { traits: number; words: number }>> = {
  worth: { traits: 300, words: 9 },
  positive: { traits: 300, words: 3 },
  negative: { traits: 900, words: 9 },
}
const PULL_OF_INTENTS = { traits: 180, words: 3 }
/** In mentions. */
const TIED_DOUBT = 5
/** Fewer levels make a smaller file. */
const WORD_LEVELS = 24
