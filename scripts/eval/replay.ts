import type { Mark } from '../../src/classify/contract.ts'
import { type Finder, finderOf } from '../../src/classify/offline/finder.ts'
import {
  leanMention,
  mentionIntents,
  mentionScore,
  mentionSentiment,
} from '../../src/classify/offline/mention/layer.ts'
import type { Parts } from '../../src/classify/offline/model/model-file.ts'
import { leanMood } from '../../src/classify/offline/relevance/marks.ts'
import { SENTIMENTS, type Sentiment } from '../../src/domain/mention/classification.ts'
import { groupBy } from '../../src/kernel/group.ts'
import type { Row } from '../train/data.ts'
import { tiedTo } from '../train/mention.ts'
import { figureAt, figuresOf, type Prediction } from './figures.ts'
import type { UnseenOdds } from './mentions.ts'
import { figureIntervals, type Line, lineOf, shuffledBy } from './report.ts'
import { MENTIONS_GOLD } from './sets/relevance.ts'
import { subjectOf } from './subjects.ts'

/**
 * What a team's verdicts bring: labelled mentions of a term replayed as verdicts, and the term's other mentions judged
 * before and after by weights that have not seen the term.
 */
export function replayLines(model: Parts, unseen: readonly UnseenOdds[]): Line[] {
  const finder = finderOf(model)
  const tied = tiedTo(unseen.map(({ example }) => example))
  const terms = [...groupBy(unseen, ({ example }) => String(example.row.term)).values()].filter(
    ({ length }) => length >= LEAST_ROWS,
  )
  return VERDICTS.flatMap((verdicts) => {
    const judged = terms.flatMap((own) =>
      Array.from({ length: DRAWS }, (_, draw) => judgedAfter(finder, tied, own, { verdicts, draw })).flat(),
    )
    const rows = judged.map(({ row }) => row)
    const predictions = judged.map(({ prediction }) => prediction)
    const figures = figuresOf(MENTIONS_GOLD.name, rows, predictions)
    const paths = REPLAYED.map(({ path }) => path)
    const intervals = figureIntervals({ set: MENTIONS_GOLD, rows, predictions }, paths)
    const after = verdicts === 0 ? 'no verdicts' : `${verdicts} verdicts`
    return REPLAYED.map(({ path, name }, at) => {
      const target = { path, name: `${name}, after ${after} on the term` }
      return lineOf(MENTIONS_GOLD.name, target, judged.length, figureAt(figures, path)!, intervals[at]!)
    })
  })
}

/** The same mentions for every number of verdicts. */
function judgedAfter(
  finder: Finder,
  tied: readonly number[],
  unseen: readonly UnseenOdds[],
  { verdicts, draw }: { verdicts: number; draw: number },
): { row: Row; prediction: Prediction }[] {
  const oddsOf = new Map(unseen.map((item) => [item.example.row.id, item]))
  const rows = shuffledBy(
    unseen.map(({ example }) => example.row),
    draw,
  )
  const marks = rows.slice(0, verdicts).map(markOf)
  return rows.slice(MOST_VERDICTS).map((row) => {
    const { example, odds: known } = oddsOf.get(row.id)!
    const found = finder.find(subjectOf(MENTIONS_GOLD, row, marks))
    const odds = known.slice()
    const score = example.decidedByLayer ? mentionScore(odds, found) : found.relevance.score
    const probabilities = new Float64Array(SENTIMENTS.length)
    const sentiment = mentionSentiment(odds, probabilities)
    const before = probabilities.slice()
    const mood = leanMood(found.leaning, { sentiment, probability: 0, stars: null }, probabilities, found.gathered)
    leanMention({ tied }, odds, { before, after: probabilities }, found.relevance)
    return { row, prediction: { id: row.id, score, sentiment: mood.sentiment, intents: mentionIntents(odds) } }
  })
}

/** A team marks what it wanted to read as relevant. */
function markOf({ about, sentiment, title, text }: Row): Mark {
  return {
    relevant: about === WORTH_READING,
    sentiment: sentiment as Sentiment | null,
    text: title === null ? text : `${String(title)}\n${text}`,
  }
}

const WORTH_READING = 2
const MOST_VERDICTS = 20
const VERDICTS = [0, 5, MOST_VERDICTS]
/** Terms with fewer mentions leave too few to judge. */
const LEAST_ROWS = 40
const DRAWS = 3
const REPLAYED = [
  { path: 'worthAuc', name: 'AUC of worth reading' },
  { path: 'sentiment.macroF1', name: 'macro-F1 of sentiment' },
  { path: 'intents.microF1', name: 'micro-F1 of intents' },
]
