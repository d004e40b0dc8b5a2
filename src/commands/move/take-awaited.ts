import { plus, SECOND_MS } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { announceWork } from '../../store/announcements.ts'
import { ErasedAuthors } from '../../store/erasure/erased-authors.ts'
import { type AwaitedMatch, dropAwaited, readAwaited } from '../../store/mention/awaited-matches.ts'
import { ingestPosts } from '../mentions/ingest-posts.ts'
import { removePosts } from '../mentions/remove-posts.ts'
import { authorKeysOfPost, wordsOfPost } from '../mentions/search-words.ts'
import type { Cell, Moving } from './cell.ts'

const AT_ONCE = 200
/** Their scores are anybody's: a lease that has ended, because clocks of machines differ. */
const FREE_SINCE_MS = 30 * SECOND_MS

/** Stores what an open workspace awaits, as if it came now: a known post adds nothing. Returns how many it took. */
export async function takeAwaited(
  { db, sealer }: Cell,
  { workspaceId, clock, metered }: Pick<Moving, 'workspaceId' | 'clock' | 'metered'>,
): Promise<number> {
  const erased = new ErasedAuthors(sealer)
  for (let taken = 0; ; ) {
    const some = await readAwaited(db, workspaceId, AT_ONCE)
    if (some.length === 0) return taken
    const gone = [...new Set(some.flatMap(({ post, postId }) => (post === null ? [postId] : [])))].sort()
    await db.transaction(async (tx) => {
      await removePosts(tx, gone, clock.now())
      await dropAwaited(
        tx,
        some.filter(({ post }) => post === null),
      )
    })
    const found = some.filter(({ post }) => post !== null)
    await db.transaction(async (tx) => {
      const at = clock.now()
      const options = { at, now: () => clock.now(), metered, leasedUntil: plus(at, -FREE_SINCE_MS), erased }
      if ((await ingestPosts(tx, matchedOf(found), options)).length > 0) await announceWork(tx, 'mentions')
      await dropAwaited(tx, found)
    })
    taken += some.length
  }
}

function matchedOf(found: readonly AwaitedMatch[]) {
  const posts = new Map<Uuid, AwaitedMatch[]>()
  for (const match of found) posts.set(match.postId, [...(posts.get(match.postId) ?? []), match])
  return [...posts.values()].map((matches) => {
    const post = matches[0]!.post!
    const keywords = matches.map(({ workspaceId, keywordId, free }) => ({ workspaceId, keywordId, free }))
    return { post, words: wordsOfPost(post), authorKeys: authorKeysOfPost(post), keywords }
  })
}
