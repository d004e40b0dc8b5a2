import { finderOf } from '../../src/classify/offline/finder.ts'
import type { Findings } from '../../src/classify/offline/mention/findings.ts'
import { isDecidedByLayer, MENTION_TASKS } from '../../src/classify/offline/mention/layer.ts'
import { traitWriter } from '../../src/classify/offline/mention/traits.ts'
import { mentionWords, newMentionWords, WORD_GROUPS } from '../../src/classify/offline/mention/words.ts'
import type { Parts } from '../../src/classify/offline/model/model-file.ts'
import type { Relevance } from '../../src/classify/offline/relevance/relevance.ts'
import { MENTIONS_GOLD, RELEVANCE_REDDIT } from '../eval/sets/relevance.ts'
import type { EvaluatedSet } from '../eval/sets/set.ts'
import { subjectOf } from '../eval/subjects.ts'
import { type Row, rowsOf } from './data.ts'
import type { MentionInputs } from './mention-logistic.ts'
import { seedPairings } from './relevance.ts'

type Task = (typeof MENTION_TASKS)[number]

/** A mention with its labels, as the layer sees it. */
export interface MentionExample {
  row: Row
  /** Whole terms are kept apart: 0 to FOLDS - 1. */
  fold: number
  inputs: MentionInputs
  occurrences: Findings['occurrences']
  decidedByLayer: boolean
  relevance: Relevance
  /** The probability of yes and the weight of each of MENTION_TASKS. */
  wanted: readonly number[]
  weight: readonly number[]
}

/** All mentions with labels; posts of ambiguous words teach only relevance. */
export function mentionExamples(model: Parts): MentionExample[] {
  const { find } = finderOf(model)
  const traitsOf = traitWriter()
  const found = newMentionWords()
  const learned = (
    set: EvaluatedSet,
    rows: readonly Row[],
    taught: (row: Row, task: Task) => Taught,
  ): MentionExample[] => {
    const foldOf = foldsOver(rows.map((row) => String(row.term)))
    return rows.map((row) => {
      const findings = find(subjectOf(set, row))
      mentionWords(findings.reading, findings.occurrences, findings.keyword.wanted.keys(), found)
      const answers = MENTION_TASKS.map((task) => taught(row, task))
      return {
        row,
        fold: foldOf.get(String(row.term))!,
        inputs: { traits: traitsOf(findings).slice(), ...strengthsOf(found) },
        occurrences: findings.occurrences,
        decidedByLayer: isDecidedByLayer(findings),
        relevance: findings.relevance,
        wanted: answers.map(({ wanted }) => wanted),
        weight: answers.map(({ weight }) => weight),
      }
    })
  }
  return [
    ...learned(MENTIONS_GOLD, rowsOf(MENTIONS_GOLD.name), taughtByMention),
    ...learned(RELEVANCE_REDDIT, rowsOf(RELEVANCE_REDDIT.name), taughtByPost),
    ...learned(RELEVANCE_REDDIT, seedRows(), taughtBySeed),
  ]
}

/** Whether the example has all labels. */
export function isMention({ row }: Pick<MentionExample, 'row'>): boolean {
  return Array.isArray(row.intents)
}

interface Taught {
  wanted: number
  weight: number
}

function taughtByMention(row: Row, task: Task): Taught {
  if (task === 'meant') return { wanted: Number(row.about !== 0), weight: row.about === 0 ? OTHER_SENSE_SHARE : 1 }
  if (task === 'worth') return { wanted: Number(row.about === 2), weight: 1 }
  if (task === 'positive' || task === 'negative')
    return { wanted: Number(row.sentiment === task), weight: row.sentiment === null ? 0 : 1 }
  return { wanted: Number((row.intents as string[]).includes(task)), weight: 1 }
}

/** A post of the other sense is not worth reading, and one of the wanted sense mostly is. */
function taughtByPost(row: Row, task: Task): Taught {
  if (task === 'meant') return { wanted: Number(row.relevant), weight: POST_SHARE_MEANT }
  if (task === 'worth') return { wanted: row.relevant ? MOSTLY_WORTH : 0, weight: POST_SHARE_WORTH }
  return { wanted: 0, weight: 0 }
}

function seedRows(): Row[] {
  return seedPairings().map((pairing, at) => ({ ...pairing, id: `seed ${at}` }))
}

function taughtBySeed(row: Row, task: Task): Taught {
  const { wanted, weight } = taughtByPost(row, task)
  return { wanted, weight: SEED_SHARE * weight }
}

function strengthsOf({ bucket, end }: ReturnType<typeof newMentionWords>) {
  const sums = new Map<number, number>()
  for (const [group, { strength }] of WORD_GROUPS.entries()) {
    const from = group === 0 ? 0 : end[group - 1]!
    const to = end[group]!
    for (let at = from; at < to; at += 1)
      sums.set(bucket[at]!, (sums.get(bucket[at]!) ?? 0) + strength / Math.sqrt(to - from))
  }
  return { bucket: Int32Array.from(sums.keys()), strength: Float64Array.from(sums.values()) }
}

/** Folds of about equal size, filled from the most frequent term on. */
export function foldsOver(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  const sizes = new Array<number>(FOLDS).fill(0)
  const ranked = [...counts].sort(([first, one], [second, two]) => two - one || (first < second ? -1 : 1))
  return new Map(
    ranked.map(([term, count]) => {
      const fold = sizes.indexOf(Math.min(...sizes))
      sizes[fold]! += count
      return [term, fold]
    }),
  )
}

export const FOLDS = 5
/** Mentions of other senses are few. */
const OTHER_SENSE_SHARE = 5
const POST_SHARE_MEANT = 1.5
const POST_SHARE_WORTH = 0.35
/** Seeds are a few short posts of each name. */
const SEED_SHARE = 3
const MOSTLY_WORTH = 0.9
