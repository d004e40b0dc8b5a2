import type { Platform } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Drop, OwnedMatches } from '../../matching/index.ts'
import type { Cursor, SourceFaultKind } from '../../sources/contract.ts'

export const CREDITS = 4

export type ToThread =
  | { kind: 'begin'; run: number; platform: Platform; at: Date; cursor: Cursor | null }
  | { kind: 'taken'; run: number }
  | { kind: 'end'; run: number }

export interface Handed {
  wanted: { post: Post; found: OwnedMatches }[]
  /** A sample of posts with terms of keywords whose rules drop them. */
  dropped: { post: Post; drops: Drop[] }[]
  sampled: string[]
  goneIds: Uuid[]
  goneAuthors: string[]
  cursor: Cursor
  newestAt: Date | null
  posts: number
}

export type Failure =
  | { kind: 'fault'; fault: SourceFaultKind; message: string; retryAfterSeconds: number | null }
  | { kind: 'defect'; message: string; stack: string | null }

export type FromThread =
  | { kind: 'batch'; run: number; handed: Handed }
  | { kind: 'ended'; run: number; failure: Failure | null }
