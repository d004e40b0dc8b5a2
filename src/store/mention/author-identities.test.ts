import { expect, test, vi } from 'vitest'
import { makeKeyword } from '../../../test/mentions.ts'
import { createWorld } from '../../../test/world.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import { sql as statement } from '../database.ts'
import { lockRunning } from '../keyword/running-states.ts'
import { lockCounters } from '../wallet/wallets.ts'
import { lockExcluding } from './author-identities.ts'

test('whoever follows excluded people and whoever stops keywords of the same workspaces never wait for each other in a ring', async () => {
  const world = await createWorld()
  try {
    const [first, second] = [await world.workspace('First'), await world.workspace('Second')].sort((a, b) =>
      a.workspaceId < b.workspaceId ? -1 : 1,
    )
    // The order of the ids of the keywords is not that of their workspaces.
    const older = await makeKeyword(second!)
    await world.clock.advance(SECOND_MS)
    const newer = await makeKeyword(first!)
    expect(older.uuid < newer.uuid).toBe(true)
    await world.admin(`update keyword set excluded_author_keys = '{somebody}'`)
    const [stopping, following] = [vi.fn(), vi.fn()]
    let followed: ReturnType<typeof lockExcluding> | undefined
    const follow = () =>
      world.db.transaction(async (tx) => {
        following()
        return await lockExcluding(tx, ['somebody'], null, 10)
      })
    await world.db.transaction(async (tx) => {
      stopping()
      await lockCounters(tx, [first!.workspaceId])
      await lockRunning(tx, [first!.workspaceId], 'running')
      followed ??= follow()
      await vi.waitFor(async () =>
        expect(
          await world.db.query(
            statement`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          ),
        ).not.toEqual([]),
      )
      await lockCounters(tx, [second!.workspaceId])
      await lockRunning(tx, [second!.workspaceId], 'running')
    })
    expect((await followed)!.keywords.map(({ id }) => id)).toEqual([newer.uuid, older.uuid])
    // A ring would have been broken by the server, and one of them tried again.
    expect([stopping.mock.calls.length, following.mock.calls.length]).toEqual([1, 1])
  } finally {
    await world.close()
  }
})
