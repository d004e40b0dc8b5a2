import type { Platform } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Drop, OwnedMatches } from '../../matching/index.ts'
import type { Cursor, FaultKind } from '../../sources/contract.ts'

/** Batches that a thread hands over before it waits for the first of them to be taken on. */
export const CREDITS = 4

/** What the main thread tells a thread that reads. A run is one reading of one source. */
export type ToThread =
  | { kind: 'begin'; run: number; platform: Platform; at: Date; cursor: Cursor | null }
  /** One batch was taken on. */
  | { kind: 'taken'; run: number }
  | { kind: 'end'; run: number }

/** A batch of which the thread has kept what somebody wants, and what went. */
export interface Handed {
  /** Each form of a post that somebody wants, the oldest first. */
  wanted: { post: Post; found: OwnedMatches }[]
  /** Some of the posts that hold terms of keywords whose rules drop them. */
  dropped: { post: Post; drops: Drop[] }[]
  /** Texts of some of the posts, whoever wants them. */
  sampled: string[]
  goneIds: Uuid[]
  goneAuthors: string[]
  cursor: Cursor
  newestAt: Date | null
  posts: number
}

export type Failure =
  | { kind: 'fault'; fault: FaultKind; message: string; retryAfterSeconds: number | null }
  | { kind: 'defect'; message: string; stack: string | null }

export type FromThread =
  | { kind: 'batch'; run: number; handed: Handed }
  | { kind: 'ended'; run: number; failure: Failure | null }
