import { expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, store } from '../../../test/mentions.ts'
import { changeKeyword } from '../../../test/rows.ts'
import { useWorld } from '../../../test/use-world.ts'
import { accepted } from '../../../test/world.ts'
import { sql } from '../../store/database.ts'
import { createChannel } from '../channels/create-channel.ts'
import { startMonth } from './start-month.ts'

const world = useWorld()

const DECEMBER = new Date('2026-12-01T00:00:00.000Z')

test('keywords that reached the limit of an earlier month collect again, once, and it is told', async () => {
  const acme = await world.workspace('Acme')
  accepted(
    await createChannel(acme, { kind: 'webhook', url: 'https://receiver.example/', events: ['keyword.resumed'] }),
  )
  const capped = await makeKeyword(acme, { term: 'Capped', cap: { mentions: 1 } })
  const muted = await makeKeyword(acme, { term: 'Muted', cap: { mentions: 1 } })
  const free = await makeKeyword(acme, { term: 'Free' })
  await store(world, [matchedBy(makePost(world), [capped, muted, free])])
  await changeKeyword(world, muted.uuid, { muted: true })
  const flags = () => world.db.query(sql`select term, paused_for_cap, muted from keyword order by id`)
  expect(await startMonth(world.services)).toBe(0)
  world.clock.set(new Date(DECEMBER.getTime() - 1))
  expect(await startMonth(world.services)).toBe(0)
  world.clock.set(DECEMBER)
  const counts = await Promise.all([startMonth(world.services), startMonth(world.services), startMonth(world.services)])
  expect(counts.reduce((sum, count) => sum + count)).toBe(2)
  expect(await startMonth(world.services)).toBe(0)
  expect(await flags()).toEqual([
    { term: 'Capped', paused_for_cap: false, muted: false },
    { term: 'Muted', paused_for_cap: false, muted: true },
    { term: 'Free', paused_for_cap: false, muted: false },
  ])
  expect(await world.db.query(sql`select event, data from delivery`)).toEqual([
    {
      event: 'keyword.resumed',
      data: {
        keyword: { id: capped.shown.id, term: 'Capped', kind: 'brand' },
        reason: 'month_turned',
        resumedAt: DECEMBER.toISOString(),
      },
    },
  ])
  const { body } = await acme.api('GET', `/v1/keywords/${capped.shown.id}`)
  expect(body).toMatchObject({ pausedForCap: false, stats: { thisMonth: 0, mentions: 1 } })
})

test('however many there are, all are found', async () => {
  const many = await world.workspace('Many')
  await world.db.query(sql`
    with made as (
      insert into keyword (workspace_id, id, group_id, term, term_folded, kind, required_terms, required_mode,
        excluded_terms, excluded_authors, excluded_author_keys, case_sensitive, muted,
        paused_for_cap, created_at, judged_since)
      select ${many.workspaceId}, gen_random_uuid(), g.id, 'k' || n, 'k' || n, 'topic', '{}', 'any', '{}', '{}', '{}',
        false, false, true, now(), now()
      from keyword_group g, generate_series(1, 450) n where g.workspace_id = ${many.workspaceId}
        returning workspace_id, id)
    insert into keyword_counter (workspace_id, keyword_id, month, month_mentions)
      select workspace_id, id, '2026-11-01', 200 from made`)
  expect(await startMonth(world.services)).toBe(450)
  expect(await startMonth(world.services)).toBe(0)
})
