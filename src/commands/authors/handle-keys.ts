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
import { nameOf, resolveHandles } from './resolve-handles.ts'

/** A handle may change hands, so it is looked at again after this time. */
export const LOOK_AGAIN_MS = DAY_MS
/** What could not be asked for is tried again after this time. */
export const RETRY_MS = 10 * MINUTE_MS
/** Whoever saves a keyword waits this long at most for platforms to say who is meant. */
const SAVING_MS = 3 * SECOND_MS
/** A platform that takes money for every answer is not asked again for this long. */
const BOUGHT_MS = 30 * DAY_MS
const BOUGHT: ReadonlySet<HandlePlatform> = new Set(['x'])

/** The people behind the handles among author entries, as far as they are known. */
export interface PeopleBehind {
  /** Every handle that the entries name, with what is known of it. */
  identities: readonly KnownIdentity[]
}

/**
 * Finds out who is behind the handles among author entries: from what is known, or from platforms when they say so in
 * time. Nothing is stored. A preview buys no answers: platforms that take money are asked only for what is saved.
 */
export async function peopleBehind(
  services: Services,
  entries: readonly string[],
  { preview = false, signal }: { preview?: boolean; signal?: AbortSignal } = {},
): Promise<PeopleBehind> {
  const handles = handlesIn(entries)
  if (handles.length === 0) return { identities: [] }
  const { db, clock } = services
  const known = new Map((await readIdentities(db, handles)).map((identity) => [nameOf(identity), identity]))
  const unknown = handles.filter(
    (handle) => !mayBeTrusted(known.get(nameOf(handle)), clock.now()) && !(preview && isBought(handle)),
  )
  const { answered } = await resolveHandles(services, unknown, SAVING_MS, signal)
  const checkedAt = clock.now()
  const told = new Map(
    answered.map((identity) => [
      nameOf(identity),
      { ...identity, id: identity.id ?? known.get(nameOf(identity))?.id ?? null, checkedAt },
    ]),
  )
  return {
    identities: handles.map(
      (handle) => told.get(nameOf(handle)) ?? known.get(nameOf(handle)) ?? { ...handle, id: null, checkedAt: null },
    ),
  }
}

/**
 * Keeps what was found out, together with the keyword that names the people: the job that looks after handles goes on
 * from there.
 */
export async function notePeople(tx: Transaction, { identities }: PeopleBehind, at: Date): Promise<void> {
  const soon = plus(at, RETRY_MS)
  const dueAt = ({ checkedAt }: KnownIdentity) =>
    checkedAt && plus(checkedAt, LOOK_AGAIN_MS) > soon ? plus(checkedAt, LOOK_AGAIN_MS) : soon
  await noteIdentities(
    tx,
    identities.map((identity) => ({ ...identity, dueAt: dueAt(identity) })),
  )
}

/** Whether an answer about this person costs money. */
export function isBought({ platform }: Handle): boolean {
  return BOUGHT.has(platform)
}

/** Whether money was paid for what is known, and not too long ago. */
export function isWorthKeeping(identity: KnownIdentity, at: Date): boolean {
  return isBought(identity) && identity.checkedAt !== null && plus(identity.checkedAt, BOUGHT_MS) > at
}

/** The job keeps up with people who are known, where that is free; who was nobody a day ago may be somebody now. */
function mayBeTrusted(identity: KnownIdentity | undefined, at: Date): boolean {
  if (!identity?.checkedAt) return false
  if (identity.id === null) return plus(identity.checkedAt, LOOK_AGAIN_MS) > at
  return isBought(identity) ? isWorthKeeping(identity, at) : true
}

/** The handles that entries name, without repeats. */
export function handlesIn(entries: readonly string[]): Handle[] {
  return [...new Map(entries.flatMap(handlesOfEntry).map((handle) => [nameOf(handle), handle])).values()]
}

/** Keys of entries with those of the ids behind the handles that the entries name. */
export function withIdKeys(
  keys: readonly string[],
  entries: readonly string[],
  identities: readonly AuthorIdentity[],
): string[] {
  const named = new Set(handlesIn(entries).map(nameOf))
  const ids = identities.flatMap((identity) =>
    identity.id !== null && named.has(nameOf(identity)) ? [keyOfId(identity.platform, identity.id)] : [],
  )
  return [...new Set([...keys, ...ids.filter((key) => key !== null)])]
}

/** The keys that follow from author entries as callers wrote them, without asking anybody. */
export function keysWritten(entries: readonly string[]): ReadonlySet<string> {
  return new Set(entries.map(parseAuthorEntry).flatMap((entry) => ('normal' in entry ? [entry.normal] : [])))
}

/**
 * Keys without those of ids that stand there because of a handle. An id that the caller wrote stays, and so do the ids
 * of a platform of which there is the link of a post: any of them may be the author's.
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
