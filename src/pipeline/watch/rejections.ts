import { REJECTIONS, type RejectionReason } from '../../domain/keyword/rejection.ts'
import type { Wanting } from '../../domain/mention/matched-post.ts'
import type { Post } from '../../domain/post/post.ts'
import { postId } from '../../domain/post/post-id.ts'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import { newUuid } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { excerpt } from '../../kernel/text.ts'
import { type Rejection, storeRejections } from '../../store/counts/rejections.ts'
import type { Database } from '../../store/database.ts'
import { createRejectionSample } from './rejection-sample.ts'

/** Takes a sample of the posts that hold a term and were dropped, so that people can see what their rules keep away. */
export interface Rejections {
  /** Whether it is worth while to find out now for whom a post was dropped: it costs as much as matching the post. */
  mayLook(): boolean
  /**
   * Whether a post that was dropped for a keyword would be kept now. Those of which none would be should not cost a
   * look.
   */
  wants(keywordId: string): boolean
  /**
   * A post was dropped for a keyword. Keeps it for a moment, or passes it over: this costs next to nothing and waits
   * for nothing.
   */
  note(post: Post, keyword: Wanting, reason: RejectionReason): void
  /** Resolves after the signal, when nothing is written any more. */
  readonly ended: Promise<void>
}

export interface RejectionOptions {
  db: Database
  clock: Clock
  log: Log
  signal: AbortSignal
}

const LOOKS_PER_SECOND = 200
const WAITING_MOST = 1000
const WRITE_EVERY_MS = 2 * SECOND_MS

export function collectRejections({ db, clock, log, signal }: RejectionOptions): Rejections {
  const looks = { left: LOOKS_PER_SECOND, atMs: clock.monotonicMs() }
  const sample = createRejectionSample(clock)
  let waiting: Rejection[] = []

  const write = async () => {
    const rejections = waiting
    waiting = []
    sample.tidy()
    try {
      if (rejections.length > 0) await db.transaction((tx) => storeRejections(tx, rejections, clock.now()))
    } catch (error) {
      // They are a sample: what could not be kept is not tried again.
      log.warn({ err: error, posts: rejections.length }, 'a sample of rejected posts could not be kept')
    }
  }
  const writing = async () => {
    while (!signal.aborted) {
      await clock.wait(WRITE_EVERY_MS, signal)
      await write()
    }
  }
  return {
    mayLook() {
      const nowMs = clock.monotonicMs()
      looks.left = Math.min(LOOKS_PER_SECOND, looks.left + ((nowMs - looks.atMs) * LOOKS_PER_SECOND) / SECOND_MS)
      looks.atMs = nowMs
      if (looks.left < 1) return false
      looks.left -= 1
      return true
    },
    wants: sample.wants,
    note(post, { workspaceId, keywordId }, reason) {
      if (waiting.length >= WAITING_MOST || !sample.wants(keywordId)) return
      const id = postId(post.platform, post.nativeId)
      if (!sample.take(keywordId, id)) return
      waiting.push({
        workspaceId,
        id: newUuid(clock.now()),
        keywordId,
        postId: id,
        platform: post.platform,
        authorId: post.author?.id ?? null,
        url: post.url,
        excerpt: excerpt([post.title, post.text].filter(Boolean).join('\n'), REJECTIONS.excerpt),
        reason,
        publishedAt: post.publishedAt,
      })
    },
    ended: writing(),
  }
}
