import { postId } from '../../domain/post/post-id.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Changes, mergeChanges } from '../watch/changes.ts'

/** The partition of a post, the same in every process: its id is a hash. */
export function partitionOf(id: Uuid, partitions: number): number {
  return Number.parseInt(id.slice(0, 8), 16) % partitions
}

/** A post and its removal go to one partition. The removal of a person goes to all, since each has posts of theirs. */
export function partitionChanges({ matched, goneIds, goneAuthors }: Changes, partitions: number): Changes[] {
  const parts = Array.from({ length: partitions }, () => ({ ...mergeChanges([]), goneAuthors }))
  for (const [nativeId, item] of matched)
    parts[partitionOf(postId(item.post.platform, nativeId), partitions)]!.matched.set(nativeId, item)
  for (const id of goneIds) parts[partitionOf(id, partitions)]!.goneIds.add(id)
  return parts
}
