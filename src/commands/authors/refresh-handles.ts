import { HANDLE_PLATFORMS, type Handle, type HandlePlatform, keysOfHandle } from '../../domain/person/handle.ts'
import { plus, SECOND_MS } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Transaction } from '../../store/database.ts'
import { lockFiltersExcluding, storeFilters } from '../../store/filter/workspace-filters.ts'
import {
  type DueIdentity,
  type ExcludingKeyword,
  forgetHandles,
  lockExcluding,
  noteIdentities,
  readDueIdentities,
  readIdentities,
  readKeysInUse,
  setExcludedKeys,
} from '../../store/mention/author-identities.ts'
import type { Services } from '../writing.ts'
import {
  HANDLE_RECHECK_MS,
  HANDLE_RETRY_MS,
  handlesIn,
  isBought,
  isWorthKeeping,
  withIdKeys,
  withoutIdKeys,
} from './handle-keys.ts'
import { handleNameOf, resolveHandles } from './resolve-handles.ts'

/** Of one platform: at one run every ten minutes, 28,800 a day. */
const HANDLES_PER_RUN = 200
/** Short, since shutdown waits for it. */
const ASKING_MS = 10 * SECOND_MS
/** Many, so that unused handles do not delay the others. */
const CHECKED_AT_ONCE = 1000
const CHECKS_PER_RUN = 50
const KEYWORDS_BATCH = 200

/**
 * Asks for the owners of excluded handles once a day, or once ever where answers cost money, and updates keywords and
 * filters. Returns how many changed.
 */
export async function refreshHandles(services: Services): Promise<number> {
  const { db, clock } = services
  const used = (await Promise.all(HANDLE_PLATFORMS.map((platform) => dueHandles(services, platform)))).flat()
  if (used.length === 0) return 0
  const isSettled = (identity: DueIdentity) => isBought(identity) && identity.checkedAt !== null
  const { answered } = await resolveHandles(
    services,
    used.filter((identity) => !isSettled(identity)),
    ASKING_MS,
  )
  const answers = new Map(answered.map((identity) => [handleNameOf(identity), identity]))
  const at = clock.now()
  await db.transaction((tx) =>
    noteIdentities(
      tx,
      used.map((identity) => {
        const answer = answers.get(handleNameOf(identity))
        if (answer) return { ...answer, checkedAt: at, dueAt: plus(at, HANDLE_RECHECK_MS) }
        return { ...identity, dueAt: plus(at, isSettled(identity) ? HANDLE_RECHECK_MS : HANDLE_RETRY_MS) }
      }),
    ),
  )
  const changing = used.filter((identity) => answers.has(handleNameOf(identity)) || isSettled(identity))
  if (changing.length === 0) return 0
  const keys = changing.flatMap(keysOfHandle)
  return (await rewriteEvery(services, keys, rewriteKeywords)) + (await rewriteEvery(services, keys, rewriteFilters))
}

/** Deletes due handles that no keyword names. */
async function dueHandles({ db, clock }: Services, platform: HandlePlatform): Promise<DueIdentity[]> {
  const at = clock.now()
  const used: DueIdentity[] = []
  let after: DueIdentity | null = null
  for (let checks = 0; checks < CHECKS_PER_RUN && used.length < HANDLES_PER_RUN; checks += 1) {
    const due: DueIdentity[] = await readDueIdentities(db, { platform, at, after, limit: CHECKED_AT_ONCE })
    const inUse = new Set(await readKeysInUse(db, due.flatMap(keysOfHandle)))
    const isUsed = (handle: Handle) => keysOfHandle(handle).some((key) => inUse.has(key))
    const unused = due.filter((identity) => !isUsed(identity))
    if (unused.length > 0) await db.transaction((tx) => forget(tx, unused, at))
    used.push(...due.filter(isUsed))
    after = due.at(-1) ?? null
    if (due.length < CHECKED_AT_ONCE) break
  }
  return used.slice(0, HANDLES_PER_RUN)
}

/** Paid answers stay until they expire. */
async function forget(tx: Transaction, unused: readonly DueIdentity[], at: Date): Promise<void> {
  const kept = unused.filter((identity) => isWorthKeeping(identity, at))
  await noteIdentities(
    tx,
    kept.map((identity) => ({ ...identity, dueAt: plus(at, HANDLE_RECHECK_MS) })),
  )
  await forgetHandles(
    tx,
    unused.filter((identity) => !isWorthKeeping(identity, at)),
    at,
  )
}

/** `last` is where the next page begins, null at the end. */
interface Rewritten {
  last: Uuid | null
  changed: number
}

/** Also when the answer has not changed now. */
async function rewriteEvery(
  { db }: Services,
  keys: readonly string[],
  rewrite: (tx: Transaction, keys: readonly string[], after: Uuid | null) => Promise<Rewritten>,
): Promise<number> {
  let changed = 0
  for (let after: Uuid | null = null; ; ) {
    const batch: Rewritten = await db.transaction((tx) => rewrite(tx, keys, after))
    changed += batch.changed
    if (batch.last === null) return changed
    after = batch.last
  }
}

async function rewriteKeywords(tx: Transaction, keys: readonly string[], after: Uuid | null): Promise<Rewritten> {
  const { keywords, last } = await lockExcluding(tx, keys, after, KEYWORDS_BATCH)
  const identities = await readIdentities(tx, handlesIn(keywords.flatMap(({ entries }) => entries)))
  const changed: ExcludingKeyword[] = []
  for (const keyword of keywords) {
    const now = withIdKeys(withoutIdKeys(keyword.keys, keyword.entries), keyword.entries, identities)
    if (!sameKeys(now, keyword.keys)) changed.push({ ...keyword, keys: now })
  }
  await setExcludedKeys(tx, changed)
  return { last, changed: changed.length }
}

/** A filter may hold ten times what all keyword lists of a workspace hold. */
const FILTERS_BATCH = 20

async function rewriteFilters(tx: Transaction, keys: readonly string[], after: Uuid | null): Promise<Rewritten> {
  const filters = await lockFiltersExcluding(tx, keys, after, FILTERS_BATCH)
  const identities = await readIdentities(tx, handlesIn(filters.flatMap(({ excludedAuthors }) => excludedAuthors)))
  let changed = 0
  for (const filter of filters) {
    const now = withIdKeys(
      withoutIdKeys(filter.excludedAuthorKeys, filter.excludedAuthors),
      filter.excludedAuthors,
      identities,
    )
    if (sameKeys(now, filter.excludedAuthorKeys)) continue
    await storeFilters(tx, { ...filter, excludedAuthorKeys: now })
    changed += 1
  }
  return { last: filters.length < FILTERS_BATCH ? null : filters.at(-1)!.workspaceId, changed }
}

function sameKeys(first: readonly string[], second: readonly string[]): boolean {
  return first.length === second.length && first.every((key) => second.includes(key))
}
