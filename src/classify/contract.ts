import type { Sentiment, Verdict } from '../domain/mention/classification.ts'
import type { Post } from '../domain/post/post.ts'
import type { Uuid } from '../kernel/ids.ts'

/** A team's feedback on an earlier mention of the same keyword. A null field has no feedback. */
export interface Mark {
  relevant: boolean | null
  sentiment: Sentiment | null
  /** The post's title and text, which may be hostile. */
  text: string
}

/** A mention to score: the post, the matched keyword and the team's own descriptions. */
export interface Subject {
  post: Pick<Post, 'platform' | 'title' | 'text' | 'links' | 'languageHint' | 'author' | 'review'>
  keyword: { term: string; kind: 'brand' | 'competitor' | 'topic' }
  /** The keyword's context, or null. */
  keywordContext: string | null
  /** The description of the keyword's group, otherwise the company profile; null without both. */
  companyContext: string | null
  /** The latest feedback on the keyword, newest first. */
  marks: readonly Mark[]
  /** The workspace of the mention. The costs of scoring are shared fairly between workspaces. */
  workspaceId: Uuid
}

/** A verdict, or one line for logs that says why the subject could not be scored. */
export type Scored = { verdict: Verdict } | { failed: string }

export interface Classifier {
  /** The name in the settings and in logs. */
  readonly name: string
  /**
   * Scores every subject, with results in the order of the subjects. A bad subject never makes the call throw; an
   * aborted `signal` does. One version gives equal subjects equal verdicts, except where a language model is asked.
   * Time is linear in the length of the text.
   */
  score(subjects: readonly Subject[], signal: AbortSignal): Promise<Scored[]>
  /**
   * Scores like `score`, but returns confident results at once and those of a second scorer as promises. A promise is
   * rejected when the signal is aborted first or the database is unavailable. Absent where all results come together.
   */
  scoreEach?(subjects: readonly Subject[], signal: AbortSignal): Promise<(Scored | Promise<Scored>)[]>
  /**
   * Scores like `score` but without the second scorer, for subjects that were left unscored too often. Present where
   * `scoreEach` is present.
   */
  scoreAtOnce?(subjects: readonly Subject[], signal: AbortSignal): Promise<Scored[]>
  /** Ends workers and connections; idempotent. */
  close(): Promise<void>
}
