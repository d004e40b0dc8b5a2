import {
  mentionIntents,
  mentionScore,
  mentionSentiment,
  mentionSureness,
} from '../../src/classify/offline/mention/layer.ts'
import type { Parts } from '../../src/classify/offline/model/model-file.ts'
import {
  type Intent,
  RELEVANCE_THRESHOLD,
  SENTIMENTS,
  type Sentiment,
} from '../../src/domain/mention/classification.ts'
import { foldedOdds, linesFrom } from '../train/mention.ts'
import { FOLDS, isMention, type MentionExample, mentionExamples } from '../train/mention-examples.ts'

/** The verdict of weights that have not seen the mention's term. */
export interface UnseenPrediction {
  readonly [label: string]: unknown
  id: string
  relevant: boolean
  /** 0 to 100. */
  score: number
  sentiment: Sentiment
  intents: Intent[]
  /** 0 to 1. */
  confidence: number
}

/** Labelled mentions with their log-odds above the lines, both learned without the mention's term. */
export interface UnseenOdds {
  example: MentionExample
  odds: Float64Array
  sureness: readonly number[]
}

export function unseenOdds(model: Parts): UnseenOdds[] {
  const examples = mentionExamples(model)
  const odds = foldedOdds(examples)
  const linesOfFold = Array.from({ length: FOLDS }, (_, fold) => {
    const others = [...examples.keys()].filter((at) => examples[at]!.fold !== fold)
    return linesFrom(
      others.map((at) => examples[at]!),
      others.map((at) => odds[at]!),
    )
  })
  return [...examples.entries()]
    .filter(([, example]) => isMention(example))
    .map(([at, example]) => {
      const { lines, sureness } = linesOfFold[example.fold]!
      return { example, odds: odds[at]!.map((value, task) => value - lines[task]!), sureness }
    })
}

/** Judges labelled mentions by weights and lines that were learned without the mention's term. */
export function unseenMentions(unseen: readonly UnseenOdds[]): UnseenPrediction[] {
  return unseen.map(({ example, odds, sureness }) => {
    const score = example.decidedByLayer ? mentionScore(odds, example) : example.relevance.score
    const sentiment = mentionSentiment(odds, new Float64Array(SENTIMENTS.length))
    return {
      id: example.row.id,
      relevant: score >= RELEVANCE_THRESHOLD,
      score,
      sentiment,
      intents: mentionIntents(odds),
      confidence: mentionSureness({ sureness }, odds, sentiment),
    }
  })
}
