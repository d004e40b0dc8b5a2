import { linkHostsOf } from '../../domain/filter/link-hosts.ts'
import type { Post } from '../../domain/post/post.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { columns, createBigints } from '../columns.ts'
import type { Transaction } from '../database.ts'
import { addAccountFacet, addFacets, addWords } from '../filter/facets.ts'
import { markBlocksStale } from '../filter/mention-blocks.ts'
import { GivenRows, GivenValues, given } from '../given-rows.ts'

export interface Findable {
  workspaceId: Uuid
  mentionId: Uuid
  words: readonly string[]
  authorKeys: readonly string[]
  post: Pick<Post, 'links' | 'review'>
  accountId: Uuid | null
}

/** Mentions per pause. */
export const PIECE = 50

/**
 * Yields while columns are built, so that results are read for batches that hold counters. Holders of counters do not
 * yield.
 */
export type Pause = () => Promise<void>

/** One array of token hashes, each mention's 1-based range, and the bits of common words. */
export async function facetColumns(
  mentions: readonly Omit<Findable, 'mentionId'>[],
  pause: Pause,
): Promise<{ all: Buffer; begins: Buffer; ends: Buffer; common: Buffer }> {
  const hashes = createBigints(
    mentions.reduce(
      (sum, { words, authorKeys, post }) => sum + words.length + authorKeys.length + post.links.length + 1,
      0,
    ),
  )
  const common: number[] = []
  const begins: number[] = []
  const ends: number[] = []
  for (const { workspaceId, words, authorKeys, post, accountId } of mentions) {
    begins.push(hashes.length + 1)
    common.push(addWords(hashes, workspaceId, words))
    addFacets(hashes, workspaceId, 'host', new Set(linkHostsOf(post.links)))
    addFacets(hashes, workspaceId, 'author', authorKeys)
    if (accountId !== null) addAccountFacet(hashes, workspaceId, accountId)
    ends.push(hashes.length)
    if (ends.length % PIECE === 0) await pause()
  }
  return {
    all: hashes.column(),
    begins: columns.integers(begins),
    ends: columns.integers(ends),
    common: columns.integers(common),
  }
}

const FOUND = new GivenRows<Findable, 'begins' | 'ends' | 'common_words'>(
  {
    workspace_id: given.uuid(({ workspaceId }) => workspaceId),
    id: given.uuid(({ mentionId }) => mentionId),
    rating: given.smallint(({ post }) => post.review?.rating ?? null),
  },
  // Ranges of the array of all token hashes.
  { begins: 'int', ends: 'int', common_words: 'int' },
)
const ONCE = new GivenValues(['facets'], FOUND.after)

/**
 * Scores stay. Comes last and in the order of score writes: counters are locked before mentions everywhere, which
 * prevents deadlocks.
 */
export async function writeFacets(tx: Transaction, mentions: readonly Findable[], at: Date): Promise<void> {
  if (mentions.length === 0) return
  const ordered = [...mentions].sort((a, b) => (a.mentionId < b.mentionId ? -1 : 1))
  const facets = await facetColumns(ordered, () => Promise.resolve())
  await tx.run(
    'ingest-facets',
    `update mention m set facets = t.facets, common_words = t.common_words, rating = t.rating
     from (select workspace_id, id, (${ONCE.the.facets}::bigint[])[begins:ends] as facets, common_words, rating
       from ${FOUND.unnested} order by id) t
     where m.workspace_id = t.workspace_id and m.id = t.id`,
    [
      ...FOUND.values(ordered, { begins: facets.begins, ends: facets.ends, common_words: facets.common }),
      ...ONCE.values({ facets: facets.all }),
    ],
  )
  await markBlocksStale(tx, ordered, at)
}
