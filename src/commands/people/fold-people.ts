import { type AccountChange, type AccountSum, sumChanges } from '../../domain/person/person.ts'
import type { Author } from '../../domain/post/post.ts'
import { groupBy } from '../../kernel/group.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { tokens } from '../../matching/index.ts'
import type { Database, Transaction } from '../../store/database.ts'
import { throughIndexes } from '../../store/delivery/outbox.ts'
import { BEFORE_ALL } from '../../store/delivery/prune-deliveries.ts'
import { isFrozen, withoutFrozen } from '../../store/frozen/frozen.ts'
import { findChangedWorkspaces, forgetOrphanedChanges, takeChanges } from '../../store/person/account-changes.ts'
import { moveAccounts, type ProfiledSum, readAuthors, refreshSeenTimes } from '../../store/person/account-sums.ts'
import { findChangedKinds, spreadKindChange } from '../../store/person/kind-changes.ts'
import { nameWord, removeForgotten, summarisePeople } from '../../store/person/people.ts'
import { addToTotals, holdPeopleOfSome } from '../../store/person/people-totals.ts'
import type { Services } from '../writing.ts'

const WORKSPACES = 100
const BATCH = 5000
/** So that a busy workspace does not delay the rest. */
const ROUNDS = 20
/** In one round, and their mentions in one transaction. */
const KINDS = 100
const KIND_BATCH = 2000
/** Names are arbitrary texts. */
const WORDS_MAX = 40

/**
 * Applies changes of mentions to accounts and people. Changes are deleted in the transaction that counts them, under a
 * lock on the workspace's people, so concurrent and dying processes neither lose nor double any. Returns how many.
 */
export async function foldPeople({ db }: Pick<Services, 'db'>): Promise<number> {
  let sum = 0
  for (let isMore = true; isMore; ) {
    // A keyword with very many mentions must delay nobody.
    isMore = await spreadKindChanges(db)
    sum += await foldChanges(db)
  }
  return sum
}

/** Returns whether there is more to do. */
async function spreadKindChanges(db: Database): Promise<boolean> {
  let isMore = false
  for (const { workspaceId, keywordId } of await findChangedKinds(db, KINDS)) {
    const hasMore = await db.transaction(async (tx) => {
      await throughIndexes(tx)
      if (await isFrozen(tx, workspaceId)) return false
      return await spreadKindChange(tx, workspaceId, keywordId, KIND_BATCH)
    })
    isMore ||= hasMore
  }
  return isMore
}

async function foldChanges(db: Database): Promise<number> {
  let sum = 0
  for (let after = BEFORE_ALL; ; ) {
    const ids = await findChangedWorkspaces(db, after, WORKSPACES)
    const last = ids.at(-1)
    if (last === undefined) return sum
    sum += await foldSome(db, ids)
    after = last
  }
}

async function foldSome(db: Database, ids: readonly Uuid[]): Promise<number> {
  await forgetOrphanedChanges(db, ids)
  let sum = 0
  let left = ids
  for (let round = 0; round < ROUNDS && left.length > 0; round += 1) {
    const folded = await db.transaction((tx) => foldBatch(tx, left))
    sum += folded.count
    left = folded.left
  }
  return sum
}

/** Returns the count, and the workspaces that may have more. */
async function foldBatch(tx: Transaction, ids: readonly Uuid[]): Promise<{ count: number; left: Uuid[] }> {
  await throughIndexes(tx)
  const held = await holdPeopleOfSome(tx, await withoutFrozen(tx, ids))
  const share = Math.ceil(BATCH / Math.max(1, held.length))
  const changes = await takeChanges(tx, held, share)
  await addUp(tx, changes)
  const counts = groupBy(changes, ({ workspaceId }) => workspaceId)
  return { count: changes.length, left: held.filter((id) => counts.get(id)?.length === share) }
}

async function addUp(tx: Transaction, changes: readonly AccountChange[]): Promise<void> {
  if (changes.length === 0) return
  const sums = sumChanges(changes)
  const authors = await readAuthors(
    tx,
    sums.flatMap(({ newest }) => (newest ? [newest.postId] : [])),
  )
  const { people, made } = await moveAccounts(
    tx,
    sums.map((sum) => withProfile(sum, authors)),
  )
  await refreshSeenTimes(
    tx,
    sums.filter(({ shrank }) => shrank),
  )
  await summarisePeople(tx, people)
  await addToTotals(tx, made)
  const gone = await removeForgotten(tx, people)
  await addToTotals(tx, new Map([...gone].map(([workspaceId, count]) => [workspaceId, -count])))
}

function withProfile(sum: AccountSum, authors: ReadonlyMap<Uuid, Author>): ProfiledSum {
  const author = sum.newest && authors.get(sum.newest.postId)
  if (!author) return { ...sum, profile: null }
  const { name, handle, url, avatarUrl, followers } = author
  return { ...sum, profile: { name, handle, url, avatarUrl, followers, words: wordsOf(name, handle) } }
}

function wordsOf(...names: readonly (string | null)[]): string[] {
  const words = names.flatMap((name) => (name ? tokens(name) : [])).map(nameWord)
  return [...new Set(words)].slice(0, WORDS_MAX)
}
