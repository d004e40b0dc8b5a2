import { beforeAll, expect, test } from 'vitest'
import { makeKeyword, type TestKeyword } from '../../../test/mentions.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { sql } from '../database.ts'
import { lockKeyword, removeKeywords, updateKeyword } from './keywords.ts'

let keywords: TestKeyword[]
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(async () => {
  keywords = []
  for (let at = 0; at < 5; at += 1) keywords.push(await makeKeyword(acme))
})

test('what is stored is what is read', async () => {
  const { uuid } = keywords[0]!
  await world.db.transaction(async (tx) => {
    const before = (await lockKeyword(tx, acme.workspaceId, uuid))!
    const after = {
      ...before,
      kind: 'topic' as const,
      platforms: [],
      context: 'Now.',
      muted: true,
      pausedForBalance: true,
      capOwn: 7,
      excludedAuthorKeys: ['x'],
    }
    await updateKeyword(tx, after, { before, at: world.clock.now() })
    expect(await lockKeyword(tx, acme.workspaceId, uuid)).toEqual(after)
  })
})

test('a keyword is found in its own workspace only', async () => {
  const other = await world.workspace('Other')
  await world.db.transaction(async (tx) => {
    expect(await lockKeyword(tx, other.workspaceId, keywords[1]!.uuid)).toBeNull()
    await removeKeywords(tx, other.workspaceId, [keywords[1]!.uuid], world.clock.now())
    await removeKeywords(tx, acme.workspaceId, [], world.clock.now())
  })
  expect(await world.db.query(sql`select 1 from keyword where id = ${keywords[1]!.uuid}`)).toHaveLength(1)
})
