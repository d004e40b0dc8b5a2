import { RELEVANCE_THRESHOLD, type Verdict } from '../../domain/mention/classification.ts'
import { excerpt } from '../../kernel/text.ts'
import type { Classifier, Scored, Subject } from '../contract.ts'
import type { Fallback, SecondVerdict, SecondVerdictResult } from '../ports.ts'

export interface HybridOptions {
  /** Under which it stands in the settings. */
  name: string
  /** Scores everything first, and alone where the second look brings nothing. */
  first: Classifier
  second: SecondVerdict
  /** Whether a first verdict needs no second look. */
  isSure(verdict: Verdict): boolean
}

/** A first verdict whose relevance is no farther from the line between noise and relevant deserves a second look. */
const NEAR_LINE = 15

/** Sure is what has so much confidence (0 to 1) and lies clear of the line between noise and relevant. */
export function sureFrom(confidence: number): (verdict: Verdict) => boolean {
  return (verdict) => verdict.confidence >= confidence && Math.abs(verdict.relevance - RELEVANCE_THRESHOLD) > NEAR_LINE
}

/** Scores everything in this process, and takes a second look with a dearer scorer only where the first is not sure. */
export function createHybridClassifier({ name, first, second, isSure }: HybridOptions): Classifier {
  const scoreEach = async (
    subjects: readonly Subject[],
    signal: AbortSignal,
  ): Promise<(Scored | Promise<Scored>)[]> => {
    const scored = await first.score(subjects, signal)
    const unsure = scored.flatMap((item, at) =>
      'verdict' in item && !isSure(item.verdict) ? [{ at, verdict: item.verdict, subject: subjects[at]! }] : [],
    )
    if (unsure.length === 0) return scored
    const looked = await second.look(
      unsure.map(({ subject }) => subject),
      signal,
    )
    const each: (Scored | Promise<Scored>)[] = [...scored]
    for (const [place, { at, verdict, subject }] of unsure.entries()) {
      const item = looked[place]!
      each[at] =
        item instanceof Promise
          ? item.then((later) => together(verdict, later, subject))
          : together(verdict, item, subject)
    }
    return each
  }
  return {
    name,
    scoreEach,
    score: async (subjects, signal) => Promise.all(await scoreEach(subjects, signal)),
    async scoreAtOnce(subjects, signal) {
      const scored = await first.score(subjects, signal)
      return scored.map((item, at) =>
        'verdict' in item && !isSure(item.verdict)
          ? together(item.verdict, { fallback: 'no_answer' }, subjects[at]!)
          : item,
      )
    },
    async close() {
      await second.close()
      await first.close()
    },
  }
}

/** The second verdict where there is one, with what only the first can know; else the first, marked. */
function together(first: Verdict, looked: SecondVerdictResult, { post }: Subject): Scored {
  if (looked === null) return { verdict: first }
  if ('fallback' in looked) return { verdict: { ...first, note: marked(first.note, HINTS[looked.fallback]) } }
  const second = looked.verdict
  // A review is relevant and its stars say how it is meant, whatever anybody reads in its words.
  const ofReview = post.review === null ? {} : { relevance: first.relevance, sentiment: first.sentiment }
  // The first has seen the author, which the second is not shown.
  return {
    verdict: {
      ...second,
      ...ofReview,
      automated: first.automated || second.automated,
      language: second.language ?? first.language,
    },
  }
}

/** What is added to the note of a first verdict that deserved a second look. */
export const HINTS: Readonly<Record<Fallback, string>> = {
  no_answer: 'scored offline: the model did not answer',
  budget: "scored offline: the day's budget is spent",
  busy: 'scored offline: the model had too much to do',
}

const NOTE_MAX = 200

function marked(note: string, hint: string): string {
  const end = ` (${hint})`
  return `${excerpt(note, NOTE_MAX - end.length)}${end}`
}
