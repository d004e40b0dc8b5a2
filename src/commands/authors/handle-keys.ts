import {
  type Handle,
  type HandlePlatform,
  handlesOfEntry,
  keyOfId,
  platformOfIdKey,
} from '../../domain/person/handle.ts'
import { parseAuthorEntry } from '../../domain/post/author-entry.ts'
import { DAY_MS, MINUTE_MS, plus, SECOND_MS } from '../../kernel/clock.ts'
import type { Transaction } from '../../store/database.ts'
import {
  type AuthorIdentity,
  type KnownIdentity,
  noteIdentities,
  readIdentities,
} from '../../store/mention/author-identities.ts'
import type { Services } from '../writing.ts'
import { handleNameOf, resolveHandles } from './resolve-handles.ts'

/** Handles may change owners, so they are checked again after this time. */
export const HANDLE_RECHECK_MS = DAY_MS
/** After a platform did not answer. */
export const HANDLE_RETRY_MS = 10 * MINUTE_MS
/** While a keyword is saved. */
const SAVING_MS = 3 * SECOND_MS
/** Paid answers are valid this long. */
const BOUGHT_MS = 30 * DAY_MS
const BOUGHT: ReadonlySet<HandlePlatform> = new Set(['x'])

export interface PeopleBehind {
  identities: readonly KnownIdentity[]
}

/** Finds the people behind handles, if need be by asking platforms. Stores nothing. Previews buy no answers. */
export async function peopleBehind(
  services: Services,
  entries: readonly string[],
  { preview = false, signal }: { preview?: boolean; signal?: AbortSignal } = {},
): Promise<PeopleBehind> {
  const handles = handlesIn(entries)
  if (handles.length === 0) return { identities: [] }
  const { db, clock } = services
  const known = new Map((await readIdentities(db, handles)).map((identity) => [handleNameOf(identity), identity]))
  const unknown = handles.filter(
    (handle) => !mayBeTrusted(known.get(handleNameOf(handle)), clock.now()) && !(preview && isBought(handle)),
  )
  const { answered } = await resolveHandles(services, unknown, SAVING_MS, signal)
  const checkedAt = clock.now()
  const answers = new Map(
    answered.map((identity) => [
      handleNameOf(identity),
      { ...identity, id: identity.id ?? known.get(handleNameOf(identity))?.id ?? null, checkedAt },
    ]),
  )
  return {
    identities: handles.map(
      (handle) =>
        answers.get(handleNameOf(handle)) ??
        known.get(handleNameOf(handle)) ?? { ...handle, id: null, checkedAt: null },
    ),
  }
}

/** The refresh job maintains the answers. */
export async function notePeople(tx: Transaction, { identities }: PeopleBehind, at: Date): Promise<void> {
  const soon = plus(at, HANDLE_RETRY_MS)
  const dueAt = ({ checkedAt }: KnownIdentity) =>
    checkedAt && plus(checkedAt, HANDLE_RECHECK_MS) > soon ? plus(checkedAt, HANDLE_RECHECK_MS) : soon
  await noteIdentities(
    tx,
    identities.map((identity) => ({ ...identity, dueAt: dueAt(identity) })),
  )
}

export function isBought({ platform }: Handle): boolean {
  return BOUGHT.has(platform)
}

export function isWorthKeeping(identity: KnownIdentity, at: Date): boolean {
  return isBought(identity) && identity.checkedAt !== null && plus(identity.checkedAt, BOUGHT_MS) > at
}

/** The job updates known people where that is free; an unknown handle is asked for again after a day. */
function mayBeTrusted(identity: KnownIdentity | undefined, at: Date): boolean {
  if (!identity?.checkedAt) return false
  if (identity.id === null) return plus(identity.checkedAt, HANDLE_RECHECK_MS) > at
  return isBought(identity) ? isWorthKeeping(identity, at) : true
}

export function handlesIn(entries: readonly string[]): Handle[] {
  return [...new Map(entries.flatMap(handlesOfEntry).map((handle) => [handleNameOf(handle), handle])).values()]
}

export function withIdKeys(
  keys: readonly string[],
  entries: readonly string[],
  identities: readonly AuthorIdentity[],
): string[] {
  const named = new Set(handlesIn(entries).map(handleNameOf))
  const ids = identities.flatMap((identity) =>
    identity.id !== null && named.has(handleNameOf(identity)) ? [keyOfId(identity.platform, identity.id)] : [],
  )
  return [...new Set([...keys, ...ids.filter((key) => key !== null)])]
}

export function keysWritten(entries: readonly string[]): ReadonlySet<string> {
  return new Set(entries.map(parseAuthorEntry).flatMap((entry) => ('normal' in entry ? [entry.normal] : [])))
}

/**
 * Removes id keys that stem from handles. Keeps ids that the caller wrote, and all ids of a platform with a post link
 * among the entries: any may be that author's.
 */
export function withoutIdKeys(keys: readonly string[], entries: readonly string[]): string[] {
  const written = keysWritten(entries)
  const linked = new Set<string>(
    entries.map(parseAuthorEntry).flatMap((entry) => ('needsResolving' in entry ? [entry.platform] : [])),
  )
  return keys.filter((key) => {
    const platform = platformOfIdKey(key)
    return platform === null || linked.has(platform) || written.has(key)
  })
}
