import { NO_TARGET } from '../../domain/audit/kinds.ts'
import type { ErasurePlan } from '../../domain/erasure/erasure-plan.ts'
import { batchesOf } from '../../kernel/batches.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import type { Transaction } from '../../store/database.ts'
import { type ErasedMention, emptyRepliesTo, readMentionsOf, readPostsOf } from '../../store/erasure/author-posts.ts'
import { eraseAccounts, findAccounts } from '../../store/erasure/erase-accounts.ts'
import {
  eraseDeliveries,
  eraseFromDigests,
  eraseInspected,
  eraseTraces,
  eraseVerdicts,
} from '../../store/erasure/erase-copies.ts'
import { listErased } from '../../store/erasure/erased-authors.ts'
import { beginErasure, type Erasure, endErasure, readErasures } from '../../store/erasure/erasures.ts'
import { earliestInFlight } from '../../store/mention/ingests-in-flight.ts'
import { recordAudit } from '../../store/workspace/audit.ts'
import { removePosts } from '../mentions/remove-posts.ts'
import type { Services } from '../writing.ts'

export interface Erased {
  posts: number
  mentions: number
  workspaces: number
}

const POSTS_AT_ONCE = 200
const LOOK_MS = SECOND_MS / 4

/**
 * Removes everything of an author from every workspace, in portions, and keeps a keyed hash by which new posts are
 * refused. What was charged stays charged.
 */
export async function eraseAuthor(services: Services, plan: ErasurePlan): Promise<Erased> {
  const { db, clock, sealer } = services
  const begunAt = clock.now()
  const erasure = { id: newUuid(begunAt), plan, begunAt }
  await db.transaction(async (tx) => {
    await listErased(tx, sealer, plan, begunAt)
    await beginErasure(tx, erasure)
  })
  return run(services, erasure)
}

/** Continues what a crash interrupted. Returns how many erasures there were. */
export async function finishErasures(services: Services): Promise<number> {
  const unfinished = await readErasures(services.db)
  for (const erasure of unfinished) await run(services, erasure)
  return unfinished.length
}

/** Every step may be repeated. The plan, which names the author, goes with the last. */
async function run(services: Services, { id, plan }: Erasure): Promise<Erased> {
  const { db, log } = services
  await storedBefore(services)
  await emptyRepliesTo(db, plan)
  const erased = await erasePosts(services, plan)
  for (const [workspaceId, accounts] of await findAccounts(db, plan))
    await db.transaction((tx) => eraseAccounts(tx, workspaceId, accounts))
  await eraseTraces(db, plan)
  await db.transaction((tx) => endErasure(tx, id))
  log.info({ event: 'author.erased', erasure: id, ...erased }, 'An author was erased from every workspace')
  return erased
}

/** Waits for transactions that may not have seen the list: from now on nobody stores a post of the author. */
async function storedBefore({ db, clock }: Services): Promise<void> {
  const listedAt = clock.now()
  for (;;) {
    const earliest = await earliestInFlight(db)
    // Locks have the second in which they were taken.
    if (earliest === null || earliest > listedAt) return
    await clock.wait(LOOK_MS)
  }
}

async function erasePosts(services: Services, plan: ErasurePlan): Promise<Erased> {
  const workspaces = new Set<Uuid>()
  const erased = { posts: 0, mentions: 0 }
  for (const ids of batchesOf(await readPostsOf(services.db, plan), POSTS_AT_ONCE)) {
    const mentions = await readMentionsOf(services.db, ids)
    // Before: a crash afterwards would forget which mentions they show. After: one may have been made meanwhile.
    await eraseFromDigests(services.db, mentions)
    await services.db.transaction((tx) => erasePortion(tx, ids, services.clock.now()))
    await eraseFromDigests(services.db, mentions)
    for (const { workspaceId } of mentions) workspaces.add(workspaceId)
    erased.posts += ids.length
    erased.mentions += mentions.length
  }
  return { ...erased, workspaces: workspaces.size }
}

async function erasePortion(tx: Transaction, ids: readonly Uuid[], at: Date): Promise<void> {
  const mentions = await readMentionsOf(tx, ids)
  await removePosts(tx, ids, at)
  await eraseDeliveries(tx, mentions)
  await eraseVerdicts(tx, mentions)
  await eraseInspected(tx, mentions)
  await recordAudit(tx, [...countsOf(mentions)].map(audited), at)
}

function audited([workspaceId, mentions]: readonly [Uuid, number]) {
  return { workspaceId, kind: 'author.erased' as const, target: NO_TARGET, data: { mentions } }
}

function countsOf(mentions: readonly ErasedMention[]): Map<Uuid, number> {
  const counts = new Map<Uuid, number>()
  for (const { workspaceId } of mentions) counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + 1)
  return counts
}
