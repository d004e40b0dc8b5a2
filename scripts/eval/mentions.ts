import {
  mentionIntents,
  mentionScore,
  mentionSentiment,
  mentionSureness,
} from '../../src/classify/offline/mention/layer.ts'
import type { Parts } from '../../src/classify/offline/model/model-file.ts'
import { RELEVANCE_THRESHOLD, SENTIMENTS } from '../../src/domain/mention/classification.ts'
import { foldedOdds, linesFrom } from '../train/mention.ts'
import { FOLDS, isMention, type MentionExample, mentionExamples } from '../train/mention-examples.ts'
import type { Prediction } from './figures.ts'

/** Judges labelled mentions by weights and lines that were learned without the mention's term. */
export function unseenMentions(model: Parts): Prediction[] {
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
    .map(([at, example]) => predictionOf(example, odds[at]!, linesOfFold[example.fold]!))
}

function predictionOf(
  example: MentionExample,
  odds: Float64Array,
  { lines, sureness }: ReturnType<typeof linesFrom>,
): Prediction {
  const above = odds.map((value, task) => value - lines[task]!)
  const score = example.decidedByLayer ? mentionScore(above, example) : example.relevance.score
  const sentiment = mentionSentiment(above, new Float64Array(SENTIMENTS.length))
  return {
    id: example.row.id,
    relevant: score >= RELEVANCE_THRESHOLD,
    score,
    sentiment,
    intents: mentionIntents(above),
    confidence: mentionSureness({ sureness }, above, sentiment),
  }
}
