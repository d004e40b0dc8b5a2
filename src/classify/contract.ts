import type { Sentiment, Verdict } from '../domain/mention/classification.ts'
import type { Post } from '../domain/post/post.ts'
import type { Uuid } from '../kernel/ids.ts'

/** What a team said of an earlier mention of the same keyword. Null where it said nothing. */
export interface Mark {
  relevant: boolean | null
  sentiment: Sentiment | null
  /** The marked post's title and text. Hostile like every post. */
  text: string
}

/** What a scorer may know of a mention: the post, the keyword that it matched, and what the team says of itself. */
export interface Subject {
  post: Pick<Post, 'platform' | 'title' | 'text' | 'links' | 'languageHint' | 'author' | 'review'>
  keyword: { term: string; kind: 'brand' | 'competitor' | 'topic' }
  /** The keyword's own sentence, or null. */
  keywordContext: string | null
  /** The group's description, else the company profile; null when neither is written. */
  companyContext: string | null
  /** The keyword's latest marks, newest first. */
  marks: readonly Mark[]
  /** Whose mention it is: what scoring costs is shared out fairly between workspaces. */
  workspaceId: Uuid
}

/** A verdict, or the reason (one line, for logs) why this subject could not be scored. */
export type Scored = { verdict: Verdict } | { failed: string }

/** One way of scoring mentions. */
export interface Classifier {
  /** Stands in the settings and in logs. */
  readonly name: string
  /**
   * Scores every subject; answers in the order of the subjects and never throws for the sake of one of them. The same
   * subject always gets the same verdict from the same version, except where a language model is asked. Time is linear
   * in the length of the text.
   */
  score(subjects: readonly Subject[], signal: AbortSignal): Promise<Scored[]>
  /**
   * Scores like `score`, and answers at once what is sure: for scorers that take a second look at some subjects, whose
   * scores come as promises. A promise is rejected when the signal is aborted first, or for want of the database.
   * Absent where all scores come together.
   */
  scoreEach?(subjects: readonly Subject[], signal: AbortSignal): Promise<(Scored | Promise<Scored>)[]>
  /**
   * Scores like `score` with no second look at any: for subjects that were left without a score too often. Present
   * where `scoreEach` is.
   */
  scoreAtOnce?(subjects: readonly Subject[], signal: AbortSignal): Promise<Scored[]>
  /** Ends workers and connections; idempotent. */
  close(): Promise<void>
}
