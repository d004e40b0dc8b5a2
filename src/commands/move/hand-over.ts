import { DAY_MS, MINUTE_MS, plus, SECOND_MS } from '../../kernel/clock.ts'
import { sql } from '../../store/database.ts'
import { announceKeywords } from '../../store/keyword/keywords.ts'
import { keepAwaited, noteHanded, readAwaited } from '../../store/mention/awaited-matches.ts'
import { keywordIds, readSources } from '../../store/move/arrivals.ts'
import { type Move, noteReadThere, readMove } from '../../store/move/moves.ts'
import { endArrival, readBroughtBack } from '../../store/move/removed-meanwhile.ts'
import { removePosts } from '../mentions/remove-posts.ts'
import type { Moving } from './cell.ts'
import { transactionsEnded } from './freeze.ts'
import { takeAwaited } from './take-awaited.ts'

/** Several times what a matcher takes to hear of changed keywords. */
const WATCHED_AFTER_MS = MINUTE_MS
const LOOK_EVERY_MS = SECOND_MS
const TELL_EVERY_LOOKS = 15
const AT_ONCE = 500
/** A source that was read longer ago is not read here any more. */
const READ_WITHIN_MS = DAY_MS

/**
 * Brings what posts match here to the other cell, until this one has read every source as far as the other had when it
 * watched the keywords; then stops matching here.
 */
export async function handOver(moving: Moving): Promise<void> {
  const { workspaceId, here, there, clock, tell } = moving
  await transactionsEnded(there, moving)
  for (let look = 0; ; look += 1) {
    await bring(moving)
    const behind = await readsBehind(moving, (await readMove(here.db, workspaceId))!)
    if (behind === null) break
    if (look % TELL_EVERY_LOOKS === 0) tell(`Handing over what posts match meanwhile: ${behind}`)
    await clock.wait(LOOK_EVERY_MS)
  }
  await stopMatching(moving)
  await transactionsEnded(here, moving)
  await bring(moving)
  // A removal that did not see what was brought is kept by now.
  await transactionsEnded(there, moving)
  await removeBroughtBack(moving)
  await there.db.transaction((tx) => endArrival(tx, workspaceId))
}

async function bring(moving: Moving): Promise<void> {
  const { workspaceId, here, there } = moving
  for (;;) {
    const some = await readAwaited(here.db, workspaceId, AT_ONCE)
    if (some.length > 0) {
      await there.db.transaction((tx) => keepAwaited(tx, some))
      await here.db.transaction((tx) => noteHanded(tx, some))
    }
    await takeAwaited(there, moving)
    await removeBroughtBack(moving)
    if (some.length === 0) return
  }
}

/** The other cell may have heard that a post is gone before this one brought it. */
async function removeBroughtBack({ workspaceId, there, clock }: Moving): Promise<void> {
  for (;;) {
    const gone = await readBroughtBack(there.db, workspaceId, AT_ONCE)
    if (gone.length === 0) return
    await there.db.transaction((tx) => removePosts(tx, gone, clock.now()))
  }
}

/** What is waited for; null when this cell has read far enough. */
async function readsBehind({ workspaceId, here, there, clock }: Moving, move: Move): Promise<string | null> {
  const watched = plus(move.openedAt!, WATCHED_AFTER_MS)
  if (clock.now() < watched) return `until ${watched.toISOString()}, when the other cell watches the keywords`
  const since = plus(move.openedAt!, -READ_WITHIN_MS)
  const there_ = move.readThere ?? (await readSources(there.db, since))
  if (move.readThere === null) await here.db.transaction((tx) => noteReadThere(tx, workspaceId, there_))
  const read = await readSources(here.db, since)
  const behind = Object.entries(there_).filter(([source, newest]) => source in read && read[source]! < newest)
  if (behind.length === 0) return null
  return behind
    .map(([source, newest]) => `${source} is read up to ${read[source]} here, up to ${newest} there`)
    .join('; ')
}

/** Keywords end here, so that no process looks for them or asks for them; and sessions, which have moved. */
async function stopMatching({ workspaceId, here }: Moving): Promise<void> {
  await here.db.transaction(async (tx) => {
    await tx.query(sql`delete from user_session where workspace_id = ${workspaceId}`)
    await tx.query(sql`delete from keyword_query where workspace_id = ${workspaceId}`)
    await tx.query(sql`update keyword set muted = true where workspace_id = ${workspaceId}`)
    await announceKeywords(tx, workspaceId, await keywordIds(tx, workspaceId))
  })
}
