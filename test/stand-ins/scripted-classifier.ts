import type { Classifier, Scored, Subject } from '../../src/classify/contract.ts'
import type { Verdict } from '../../src/domain/mention/classification.ts'

/** A clearly relevant verdict, for tests that are not about scoring. */
export const GOOD: Verdict = {
  relevance: 90,
  sentiment: 'positive',
  intents: [],
  automated: false,
  language: 'en',
  confidence: 0.9,
  note: 'It speaks of the product.',
}

/**
 * A classifier that does what a test says, by the text of the post; everything is relevant unless it says otherwise.
 */
export interface ScriptedClassifier extends Classifier {
  /** Every text that it was asked about, in order. */
  readonly asked: string[]
}

export function scriptedClassifier(
  script: (subject: Subject) => Scored | Promise<Scored> = () => ({ verdict: GOOD }),
): ScriptedClassifier {
  const asked: string[] = []
  return {
    name: 'scripted',
    asked,
    score(subjects) {
      asked.push(...subjects.map(({ post }) => post.text))
      return Promise.all(subjects.map(async (subject) => script(subject)))
    },
    close: async () => undefined,
  }
}
