import { setImmediate as breathe } from 'node:timers/promises'
import type { MatchedPost } from '../../domain/mention/matched-post.ts'
import { countMatches } from '../../store/counts/match-counts.ts'
import { type Transaction, violatesAnyUnique } from '../../store/database.ts'
import type { ErasedAuthors } from '../../store/erasure/erased-authors.ts'
import { keepWords, type SearchWords } from '../../store/filter/search-words.ts'
import { keepAwaited } from '../../store/mention/awaited-matches.ts'
import { pairOf, readExisting } from '../../store/mention/existing-mentions.ts'
import { beginIngest, holdIngest, undoIngest } from '../../store/mention/ingests-in-flight.ts'
import { lockMatchCounters, type MatchCounter, readMatchCounters } from '../../store/mention/match-counters.ts'
import { type Pause, PIECE, writeFacets } from '../../store/mention/mention-facets.ts'
import { columnsOfMentions, insertMentions } from '../../store/mention/new-mentions.ts'
import { changePosts, columnsOfPosts, insertPosts, type StoredPost, upsertPosts } from '../../store/mention/posts.ts'
import type { Unscored } from '../../store/model/unscored.ts'
import {
  type AdmissionRules,
  type AdmissionTally,
  type AdmittedMatches,
  admitMatches,
  type Candidate,
  candidatesOf,
  keywordsOf,
  withoutErased,
} from './admit-matches.ts'
import { followCap } from './follow-cap.ts'
import { countsOf, newMentionOf, postsOf } from './shape-batch.ts'

export type NewMention = Unscored

export interface IngestOptions extends AdmissionRules {
  now?: () => Date
  leasedUntil: Date
  /** Others are looked up in the database. */
  knownWords?: SearchWords
  /** Their posts are left out. */
  erased?: ErasedAuthors
}

/**
 * Stores a batch in the caller's transaction. A known post adds nothing, an edited one updates its text. Batches share
 * popular keywords, so counters are locked last and earlier reads verified; if they changed, everything is undone and
 * repeated with the counters locked first. Limits are exact either way.
 */
export async function ingestPosts(
  tx: Transaction,
  matched: readonly MatchedPost[],
  options: IngestOptions,
): Promise<NewMention[]> {
  const candidates = candidatesOf(matched)
  if (candidates.length === 0) return []
  // So that the rollback keeps the lock.
  const [, , made] = await Promise.all([
    holdIngest(tx, options.at),
    beginIngest(tx),
    attemptUnlocked(tx, candidates, options),
  ])
  // The commit releases the savepoint.
  if (made) return made
  await undoIngest(tx)
  await lockMatchCounters(tx, keywordsOf(candidates))
  const certain = await attempt(tx, candidates, options, LOCKED)
  if (!certain) throw new Error('a keyword changed although its counter was locked')
  return certain
}

/**
 * Inserts without a conflict check, which takes a fifteenth of the server's time. A rare concurrent insert violates the
 * key.
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

interface Attempt {
  storePosts: (tx: Transaction, columns: readonly unknown[]) => Promise<unknown>
  pause: Pause
}

const UNLOCKED: Attempt = { storePosts: insertPosts, pause: breathe }
const LOCKED: Attempt = { storePosts: upsertPosts, pause: () => Promise.resolve() }

/** Returns null, with partial writes, when a keyword changed meanwhile. */
async function attempt(
  tx: Transaction,
  candidates: readonly Candidate[],
  options: IngestOptions,
  { storePosts, pause }: Attempt,
): Promise<NewMention[] | null> {
  const keywords = keywordsOf(candidates)
  const [counters, existing] = await Promise.all([
    readMatchCounters(tx, keywords),
    readExisting(tx, candidates),
    options.erased?.refresh(tx),
  ])
  // Others see these mentions coming by now, so readers from the oldest wait for them.
  const madeAt = options.now?.() ?? options.at
  const { wanted, awaited } = apart(withoutErased(candidates, options.erased), counters)
  const { known, admitted, tallies } = admitMatches(wanted, counters, existing.mentions, { ...options, madeAt })
  const moved = keywords.flatMap(({ keywordId }) => movedTally(tallies.get(keywordId)))
  const posts = postsOf(known.values())
  const isStored = ([id]: StoredPost) => existing.posts.has(id)
  const fresh = posts.filter((post) => !isStored(post))
  const postColumns = columnsOfPosts(fresh, options.at)
  if (fresh.length >= PIECE) await pause()
  const mentionColumns = await columnsOfMentions(admitted, options.leasedUntil, pause)
  // Pipelined, so that nobody waits for a counter while this process is busy.
  const [, changed, , , counts] = await Promise.all([
    fresh.length === 0 ? null : storePosts(tx, postColumns),
    changePosts(tx, posts.filter(isStored), options.at),
    admitted.length === 0 ? null : insertMentions(tx, mentionColumns),
    keepWords(tx, admitted, options.knownWords ?? null),
    moved.length === 0 ? [] : countMatches(tx, countsOf(moved, admitted), options),
    awaited.length === 0 ? null : keepAwaited(tx, awaited),
  ])
  if (!counts) return null
  for (const [place, tally] of moved.entries()) await followCap(tx, tally, counts[place]!, options.at)
  const isEdited = (item: AdmittedMatches) =>
    changed.has(item.postId) && existing.mentions.has(pairOf(item.keywordId, item.postId))
  const edited = [...known.values()].filter(isEdited)
  await keepWords(tx, edited, null)
  await writeFacets(tx, edited, options.at)
  return admitted.map((item) => newMentionOf(item, tallies.get(item.keywordId)!.counter))
}

/** What a frozen workspace will have, wherever it is when it is thawed. */
function apart(candidates: readonly Candidate[], counters: readonly MatchCounter[]) {
  const frozen = new Set(counters.flatMap((counter) => (counter.frozen ? [counter.keywordId] : [])))
  if (frozen.size === 0) return { wanted: candidates, awaited: [] }
  return {
    wanted: candidates.filter(({ keywordId }) => !frozen.has(keywordId)),
    awaited: candidates.filter(({ keywordId }) => frozen.has(keywordId)),
  }
}

function movedTally(tally: AdmissionTally | undefined): AdmissionTally[] {
  return tally && tally.added > 0 ? [tally] : []
}
