import { setImmediate as breathe } from 'node:timers/promises'
import type { MatchedPost } from '../../domain/mention/matched-post.ts'
import { countMatches } from '../../store/counts/match-counts.ts'
import { type Transaction, violatesAnyUnique } from '../../store/database.ts'
import { type KnownWords, keepWords } from '../../store/filter/search-words.ts'
import { pairOf, readExisting } from '../../store/mention/existing-mentions.ts'
import { beginIngest, holdIngest, undoIngest } from '../../store/mention/ingests-in-hand.ts'
import { lockMatchCounters, readMatchCounters } from '../../store/mention/match-counters.ts'
import { type Pause, PIECE, writeFacets } from '../../store/mention/mention-facets.ts'
import { columnsOfMentions, insertMentions } from '../../store/mention/new-mentions.ts'
import { changePosts, columnsOfPosts, insertPosts, type StoredPost, upsertPosts } from '../../store/mention/posts.ts'
import type { Unscored } from '../../store/model/unscored.ts'
import { type Admitted, admitMatches, type Candidate, candidatesOf, keywordsOf, type Tally } from './admit-matches.ts'
import { followCap } from './follow-cap.ts'
import { countsOf, newMentionOf, postsOf } from './shape-batch.ts'

/** A mention that was really made, with all that its scorer asks of it. */
export type NewMention = Unscored

export interface IngestOptions {
  at: Date
  /** The time as it goes on, from which mentions get their ids; `at` unless told otherwise. */
  now?: () => Date
  /** When welcome limits count: false on an unmetered installation. */
  metered: boolean
  /** Until then nobody else scores the new mentions. */
  leasedUntil: Date
  /** The words that this process knows to be kept; without them the database is asked for each. */
  knownWords?: KnownWords
}

/**
 * Stores matched posts, a mention for each keyword, their place in the queue for scores, and the counters, in the
 * caller's transaction. The same post again makes nothing new; when it was edited, its newer text is stored and the
 * mentions of these keywords are found by it. A keyword that has meanwhile gone or been muted, or whose monthly limit
 * is reached, gets no mention.
 *
 * Whoever changes a keyword holds its counter, and batches share popular keywords, so the counters are locked as late
 * as can be: posts and mentions are made on what was read without a lock, then the counters are locked in one order,
 * and what was read must still hold. When it does not, all is undone and done again with the counters locked before
 * anything else. Either way every limit is exact.
 */
export async function ingestPosts(
  tx: Transaction,
  matched: readonly MatchedPost[],
  options: IngestOptions,
): Promise<NewMention[]> {
  const candidates = candidatesOf(matched)
  if (candidates.length === 0) return []
  // Held before the savepoint, so that it outlives going back to it.
  const [, , made] = await Promise.all([
    holdIngest(tx, options.at),
    beginIngest(tx),
    attemptUnlocked(tx, candidates, options),
  ])
  // The savepoint is not given up by itself: the commit does that, without a question of its own.
  if (made) return made
  await undoIngest(tx)
  await lockMatchCounters(tx, keywordsOf(candidates))
  const certain = await attempt(tx, candidates, options, LOCKED)
  if (!certain) throw new Error('a keyword changed although its counter was locked')
  return certain
}

/**
 * What was not there when it was looked for is inserted without asking again, which takes a fifteenth of the server's
 * time: that somebody else has made it meanwhile is rare, and shows as a violated key.
 */
async function attemptUnlocked(
  tx: Transaction,
  candidates: readonly Candidate[],
  options: IngestOptions,
): Promise<NewMention[] | null> {
  try {
    return await attempt(tx, candidates, options, UNLOCKED)
  } catch (error) {
    if (violatesAnyUnique(error)) return null
    throw error
  }
}

/** How a batch is stored before its counters are locked, and how with them. */
interface Attempt {
  /** What stores posts that were not there when they were looked for. */
  storePosts: (tx: Transaction, columns: readonly unknown[]) => Promise<unknown>
  pause: Pause
}

const UNLOCKED: Attempt = { storePosts: insertPosts, pause: breathe }
const LOCKED: Attempt = { storePosts: upsertPosts, pause: () => Promise.resolve() }

/** Returns null, with nothing in order, when a keyword was changed by somebody else meanwhile. */
async function attempt(
  tx: Transaction,
  candidates: readonly Candidate[],
  options: IngestOptions,
  { storePosts, pause }: Attempt,
): Promise<NewMention[] | null> {
  const keywords = keywordsOf(candidates)
  const [counters, existing] = await Promise.all([readMatchCounters(tx, keywords), readExisting(tx, candidates)])
  // Read when others can see that these mentions are on their way: who reads on from the oldest waits for them.
  const madeAt = options.now?.() ?? options.at
  const { known, admitted, tallies } = admitMatches(candidates, counters, existing.mentions, { ...options, madeAt })
  const moved = keywords.flatMap(({ keywordId }) => movedTally(tallies.get(keywordId)))
  const posts = postsOf(known.values())
  const isStored = ([id]: StoredPost) => existing.posts.has(id)
  const fresh = posts.filter((post) => !isStored(post))
  const postColumns = columnsOfPosts(fresh, options.at)
  if (fresh.length >= PIECE) await pause()
  const mentionColumns = await columnsOfMentions(admitted, options.leasedUntil, pause)
  // Sent one behind the other: nobody waits for a counter while this process is busy with something else.
  const [, changed, , , counts] = await Promise.all([
    fresh.length === 0 ? null : storePosts(tx, postColumns),
    changePosts(tx, posts.filter(isStored), options.at),
    admitted.length === 0 ? null : insertMentions(tx, mentionColumns),
    keepWords(tx, admitted, options.knownWords ?? null),
    moved.length === 0 ? [] : countMatches(tx, countsOf(moved, admitted), options),
  ])
  if (!counts) return null
  for (const [place, tally] of moved.entries()) await followCap(tx, tally, counts[place]!, options.at)
  const isEdited = (item: Admitted) =>
    changed.has(item.postId) && existing.mentions.has(pairOf(item.keywordId, item.postId))
  const edited = [...known.values()].filter(isEdited)
  await keepWords(tx, edited, null)
  await writeFacets(tx, edited, options.at)
  return admitted.map((item) => newMentionOf(item, tallies.get(item.keywordId)!.counter))
}

function movedTally(tally: Tally | undefined): Tally[] {
  return tally && tally.added > 0 ? [tally] : []
}
