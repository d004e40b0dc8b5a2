import { RELEVANCE_THRESHOLD, type Verdict } from '../../domain/mention/classification.ts'
import { excerpt } from '../../kernel/text.ts'
import type { Classifier, Scored, Subject } from '../contract.ts'
import type { Fallback, SecondVerdict, SecondVerdictResult } from '../ports.ts'

export interface HybridOptions {
  name: string
  /** Scores every subject. Its verdict stands where the second scorer has none. */
  first: Classifier
  second: SecondVerdict
  isSure(verdict: Verdict): boolean
}

/** A relevance within this distance (inclusive) of the threshold gets a second verdict. */
const NEAR_LINE = 15

/** `confidence` is the lowest one that counts as sure, 0 to 1. */
export function sureFrom(confidence: number): (verdict: Verdict) => boolean {
  return (verdict) => verdict.confidence >= confidence && Math.abs(verdict.relevance - RELEVANCE_THRESHOLD) > NEAR_LINE
}

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

function together(first: Verdict, looked: SecondVerdictResult, { post }: Subject): Scored {
  if (looked === null) return { verdict: first }
  if ('fallback' in looked) return { verdict: { ...first, note: marked(first.note, HINTS[looked.fallback]) } }
  const second = looked.verdict
  // Reviews are always relevant and their stars decide the sentiment, whatever the second scorer reads.
  const ofReview = post.review === null ? {} : { relevance: first.relevance, sentiment: first.sentiment }
  // Only the first scorer is shown the author.
  return {
    verdict: {
      ...second,
      ...ofReview,
      automated: first.automated || second.automated,
      language: second.language ?? first.language,
    },
  }
}

/** Added to the note of an unsure first verdict that had to stand. */
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
