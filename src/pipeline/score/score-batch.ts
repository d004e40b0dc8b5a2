import type { Classifier, Scored, Subject } from '../../classify/contract.ts'
import { authorKeysOf } from '../../domain/post/author-entry.ts'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Database } from '../../store/database.ts'
import type { Score } from '../../store/model/score.ts'
import { type MentionRef, readUnscored, type Unscored } from '../../store/model/unscored.ts'
import type { LateMention } from './late-scores.ts'
import type { MarksMemory } from './marks.ts'
import type { ScoreMetrics } from './metrics.ts'

export interface Scoring {
  db: Database
  clock: Clock
  log: Log
  metrics: ScoreMetrics
  classifier: Classifier
  marks: MarksMemory
}

type ScoreEach = NonNullable<Classifier['scoreEach']>

export interface ScoredBatch {
  scores: readonly Score[]
  fromMemory: number
  classifyMs: number
}

export async function scoreBatch(
  batch: readonly (MentionRef | Unscored)[],
  scoring: Scoring,
  signal: AbortSignal,
  score: ScoreEach = scoring.classifier.scoreEach ?? scoring.classifier.score,
): Promise<ScoredBatch & { late: readonly LateMention[] }> {
  const { clock, metrics } = scoring
  const { mentions, fromMemory } = await readWhole(batch, scoring)
  if (mentions.length === 0) return { scores: [], late: [], fromMemory, classifyMs: 0 }
  const marksOf = await scoring.marks.of(mentions)
  const beganMs = clock.monotonicMs()
  const subjects = mentions.map((mention) => subjectOf(mention, marksOf(mention)))
  const scored = await score.call(scoring.classifier, subjects, signal)
  const classifyMs = clock.monotonicMs() - beganMs
  metrics.classifySeconds.observe(classifyMs / SECOND_MS)
  return { ...sortOut(mentions, scored, scoring), fromMemory, classifyMs }
}

function sortOut(
  mentions: readonly Unscored[],
  scored: Awaited<ReturnType<ScoreEach>>,
  { classifier, log }: Scoring,
): { scores: Score[]; late: LateMention[] } {
  if (scored.length < mentions.length)
    throw new Error(`the classifier ${classifier.name} answered ${scored.length} of ${mentions.length} mentions`)
  const scores: Score[] = []
  const late: LateMention[] = []
  for (const [at, mention] of mentions.entries()) {
    const result = scored[at]!
    if (result instanceof Promise) late.push({ mention, scored: result })
    else scores.push(scoreOf(mention, result, log))
  }
  return { scores, late }
}

/** Each mention once: a lease may expire while its mention waits here, and the sweep then returns it again. */
async function readWhole(
  batch: readonly (MentionRef | Unscored)[],
  { db }: Scoring,
): Promise<{ mentions: Unscored[]; fromMemory: number }> {
  const whole = new Map<string, Unscored>()
  for (const mention of batch) if ('post' in mention) whole.set(mention.mentionId, mention)
  const others = new Map(batch.filter(({ mentionId }) => !whole.has(mentionId)).map((ref) => [ref.mentionId, ref]))
  const read = others.size > 0 ? await readUnscored(db, [...others.values()]) : []
  return { mentions: [...whole.values(), ...read], fromMemory: whole.size }
}

export function scoreOf(mention: Unscored, scored: Scored, log: Log): Score {
  if ('failed' in scored)
    log.warn(
      { event: 'score.mention_failed', mentionId: mention.mentionId, reason: scored.failed },
      'A mention could not be scored',
    )
  const verdict = 'failed' in scored ? null : scored.verdict
  return {
    mention,
    verdict,
    authorKeys: mention.post.author ? authorKeysOf(mention.post.platform, mention.post.author) : [],
  }
}

function subjectOf(mention: Unscored, marks: Subject['marks']): Subject {
  return {
    post: mention.post,
    keyword: { term: mention.keywordTerm, kind: mention.keywordKind },
    keywordContext: mention.keywordContext,
    companyContext: mention.companyContext,
    marks,
    workspaceId: mention.workspaceId,
  }
}
