import { postId } from '../../domain/post/post-id.ts'
import type { Changes } from '../watch/changes.ts'

/**
 * What a crash would repeat of one partition. A post that is stored and removed again must not be repeated as a whole:
 * it would make a mention for a second time.
 */
export class Repeats {
  /** Posts and their authors by id, with the last batch that stored them; the oldest batch first. */
  private readonly stored = new Map<string, number>()
  private readonly removed = new Map<string, number>()

  /** The last batch that must not be repeated once these changes are stored; 0 if any may be. */
  last(changes: Changes): number {
    const [stores, removes] = idsOf(changes)
    return Math.max(
      0,
      ...removes.map((id) => this.stored.get(id) ?? 0),
      ...stores.map((id) => this.removed.get(id) ?? 0),
    )
  }

  note(changes: Changes, batch: number): void {
    const [stores, removes] = idsOf(changes)
    for (const id of stores) put(this.stored, id, batch)
    for (const id of removes) put(this.removed, id, batch)
  }

  /** Batches up to this one are not repeated. */
  forget(batch: number): void {
    for (const ids of [this.stored, this.removed])
      for (const [id, last] of ids) {
        if (last > batch) break
        ids.delete(id)
      }
  }
}

function idsOf({ matched, goneIds, goneAuthors }: Changes): [stores: string[], removes: string[]] {
  const stores: string[] = []
  for (const { post } of matched.values()) {
    stores.push(postId(post.platform, post.nativeId))
    if (post.author?.id) stores.push(post.author.id)
  }
  return [stores, [...goneIds, ...goneAuthors]]
}

function put(ids: Map<string, number>, id: string, batch: number): void {
  ids.delete(id)
  ids.set(id, batch)
}
