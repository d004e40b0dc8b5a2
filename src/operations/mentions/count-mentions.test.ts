import { expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, score, store } from '../../../test/mentions.ts'
import { changeMention } from '../../../test/rows.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { removePosts } from '../../commands/mentions/remove-posts.ts'
import { HOUR_MS, plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

const total = async (query = '', workspace = acme) =>
  (await workspace.api('GET', `/v1/mentions/count${query}`)).body.total

test('the total is what the list would show, whatever was removed, muted, snoozed or deleted since', async () => {
  expect(await total()).toBe(0)
  const [keyword, other] = [await makeKeyword(acme), await makeKeyword(acme)]
  const made = await store(
    world,
    Array.from({ length: 12 }, (_, at) =>
      matchedBy(makePost(world, { platform: at % 2 ? 'x' : 'bluesky' }), at < 4 ? [keyword, other] : [keyword]),
    ),
  )
  expect(await total()).toBe(16)
  await score(world, made.slice(0, 5))
  expect([await total('?relevant=true'), await total('?relevant=false')]).toEqual([5, 11])

  await world.db.transaction(async (tx) => {
    const rows = await tx.query<{ post_id: Uuid }>(sql`select post_id from mention where id = ${made[0]!.mentionId}`)
    await removePosts(
      tx,
      rows.map((row) => row.post_id),
      world.clock.now(),
    )
  })
  expect(await total()).toBe(14)

  await changeMention(world, made.at(-1)!.mentionId, { snoozedUntil: plus(world.clock.now(), HOUR_MS) })
  expect([await total(), await total('?snoozed=true')]).toEqual([13, 1])

  const [{ muted }] = (await world.db.query<{ muted: number }>(sql`
    with author as (select account_id from mention where workspace_id = ${acme.workspaceId} and platform = 6 limit 1),
      person as (insert into person (workspace_id, id, muted) select ${acme.workspaceId}::uuid, account_id, true
        from author),
      account as (insert into account (workspace_id, id, person_id, platform)
        select ${acme.workspaceId}::uuid, account_id, account_id, 6 from author)
    select count(*) as muted from mention where account_id = (select account_id
      from author) and snoozed_until is null`)) as [{ muted: number }]
  expect(muted).toBeGreaterThan(0)
  expect([await total(), await total('?includeMuted=true')]).toEqual([13 - muted, 13])

  await world.clock.advance(HOUR_MS)
  expect(await total('?includeMuted=true')).toBe(14)
  await acme.api('DELETE', `/v1/keywords/${other.shown.id}`)
  const listed = (await acme.api('GET', '/v1/mentions?limit=100')).body.data.length
  expect(await total()).toBe(listed)
  expect(await total('', await world.workspace('Other'))).toBe(0)
})

test.each([
  ['limit=5', 'limit: is not a parameter of this operation'],
  ['relevant=yes', 'relevant: must be true or false'],
])('%s is refused by naming the parameter', async (query, message) => {
  const { status, body } = await acme.api('GET', `/v1/mentions/count?${query}`)
  expect([status, body.error.code, body.error.message]).toEqual([400, 'validation_error', message])
})
