import { POST_LIMITS, type Post } from '../../domain/post/post.ts'
import { trimOldest } from '../../kernel/concurrency/bounded-cache.ts'
import type { SourceEvent } from '../contract.ts'
import { editedMsOf } from './to-post.ts'
import type { Status } from './wire.ts'

interface Handed {
  event: SourceEvent
  uri: string
  /** 0 if the post was never edited; infinite for a deleted post, which no server brings back. */
  editedMs: number
  batch: number
}

/** 40 minutes of a busy relay; pages and stream overlap by a few. */
const MOST_VERSIONS = 20_000
/** Three hours of a busy relay. */
const MOST_IDS = 100_000
const MOST_UNREPLAYED = 1000
const GONE = Number.POSITIVE_INFINITY

/**
 * What was handed over, by the number of its batch. A stored cursor names the last stored batch; what stands behind it
 * is handed over again.
 */
export class KnownPosts {
  private readonly versions = new Map<string, Pick<Handed, 'editedMs' | 'batch'>>()
  /** By a server's own id; null for an id that two posts share. */
  private readonly urisById = new Map<string, string | null>()
  /** Deletions and edits, which no page brings again. */
  private unreplayed: Handed[] = []

  /** Forgets what was not stored. The answered events belong into the next batch, which is `batch` + 1. */
  resume(batch: number | null): SourceEvent[] {
    for (const [uri, version] of this.versions) if (batch === null || version.batch > batch) this.versions.delete(uri)
    const lost = batch === null ? [] : this.unreplayed.filter((handed) => handed.batch > batch)
    this.unreplayed = []
    for (const handed of lost) this.remember({ ...handed, batch: (batch ?? 0) + 1 })
    return lost.map(({ event }) => event)
  }

  /** Null if this version was handed over already; `post` is null if the author does not want to be found. */
  take(status: Status, post: Post | null, batch: number): SourceEvent | null {
    const { uri } = status
    // Makes no post, and would be kept for hours.
    if (uri.length > POST_LIMITS.nativeIdCharacters) return null
    this.nameById(status)
    const known = this.versions.get(uri)
    const editedMs = editedMsOf(status)
    if (known && editedMs <= known.editedMs) return null
    if (post === null) return known ? this.takeGoneUri(uri, batch) : null
    return this.remember({ event: { kind: 'post', post }, uri, editedMs, batch })
  }

  /** Null for the id of no known post, of two, or of a post that is gone already. */
  takeGone(id: string, batch: number): SourceEvent | null {
    const uri = this.urisById.get(id)
    return uri && this.versions.get(uri)?.editedMs !== GONE ? this.takeGoneUri(uri, batch) : null
  }

  private takeGoneUri(uri: string, batch: number): SourceEvent {
    const event: SourceEvent = { kind: 'post_gone', platform: 'mastodon', nativeId: uri }
    return this.remember({ event, uri, editedMs: GONE, batch })
  }

  private remember(handed: Handed): SourceEvent {
    const { event, uri, editedMs, batch } = handed
    this.versions.delete(uri)
    this.versions.set(uri, { editedMs, batch })
    trimOldest(this.versions, MOST_VERSIONS)
    if (editedMs > 0) this.unreplayed.push(handed)
    if (this.unreplayed.length > 2 * MOST_UNREPLAYED) this.unreplayed = this.unreplayed.slice(-MOST_UNREPLAYED)
    return event
  }

  private nameById({ id, uri }: Status): void {
    const named = this.urisById.get(id)
    if (named === uri) return
    this.urisById.set(id, named === undefined ? uri : null)
    trimOldest(this.urisById, MOST_IDS)
  }
}
