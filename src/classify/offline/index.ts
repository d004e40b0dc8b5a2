import { setImmediate as nextTurn } from 'node:timers/promises'
import { spawnThread } from '../../kernel/thread.ts'
import type { Classifier, Scored, Subject } from '../contract.ts'
import { scorerOf } from './judge.ts'
import { loadGrams } from './language/language-grams.ts'
import { loadSharedModel, modelOver } from './model/model-file.ts'
import { ScoringPool } from './pool.ts'
import type { ThreadData } from './thread.ts'

export interface OfflineOptions {
  /** Most threads that score, started when needed; 0 for the calling thread. */
  threads: number
}

/** Needs no network and no key. Threads share the memory of the model. */
export async function createOfflineClassifier({ threads }: OfflineOptions = { threads: 0 }): Promise<Classifier> {
  const [model, grams] = await Promise.all([loadSharedModel(), loadGrams()])
  const data: ThreadData = { ...model, grams }
  const scoreOne = scorerOf(modelOver(data.header, data.body), data.grams)
  const pool =
    threads > 0 ? new ScoringPool({ count: threads, spawn: () => spawnThread(import.meta.url, 'thread', data) }) : null
  return {
    name: 'offline',
    async score(subjects, signal) {
      signal.throwIfAborted()
      return pool && subjects.length > MOST_SCORED_HERE
        ? await pool.score(subjects, signal)
        : await scoreHere(scoreOne, subjects, signal)
    },
    async close() {
      await pool?.close()
    },
  }
}

/** Yields to the event loop every few milliseconds, measured in characters to be repeatable. */
async function scoreHere(
  scoreOne: (subject: Subject) => Scored,
  subjects: readonly Subject[],
  signal: AbortSignal,
): Promise<Scored[]> {
  const scored: Scored[] = []
  const learned = new Set<Subject['marks']>()
  let characters = 0
  for (const subject of subjects) {
    if (characters > SLICE_CHARACTERS) {
      characters = 0
      await nextTurn()
      signal.throwIfAborted()
    }
    characters +=
      CHARACTERS_PER_POST + Math.min(MOST_COUNTED, (subject.post.title?.length ?? 0) + subject.post.text.length)
    // The first subject with new feedback also pays for learning from it.
    if (subject.marks.length > 0 && !learned.has(subject.marks)) {
      learned.add(subject.marks)
      characters += CHARACTERS_PER_MARK * subject.marks.length
    }
    scored.push(scoreOne(subject))
  }
  return scored
}

/** Up to this many subjects are scored faster here than in a thread. */
const MOST_SCORED_HERE = 8
const SLICE_CHARACTERS = 10_000
const CHARACTERS_PER_POST = 100
const CHARACTERS_PER_MARK = 300
const MOST_COUNTED = 8192
