import { expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, score, store } from '../../../test/mentions.ts'
import { makeKeywordDay } from '../../../test/rows.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { accepted, stored } from '../../../test/world.ts'
import { createAlert } from '../../commands/alerts/create-alert.ts'
import { createChannel } from '../../commands/channels/create-channel.ts'
import type { MentionFilter } from '../../domain/filter/fields.ts'
import { sql } from '../../store/database.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

const remove = (id: string, workspace = acme) => workspace.api('DELETE', `/v1/keywords/${id}`)

test('a keyword goes with its mentions; another that matched the same post keeps its own', async () => {
  const [gone, kept] = [await makeKeyword(acme, { term: 'Gone' }), await makeKeyword(acme)]
  const mentions = await store(
    world,
    [1, 2].map(() => matchedBy(makePost(world), [gone, kept])),
  )
  await score(world, mentions.slice(0, 2))
  expect(await remove(gone.shown.id)).toMatchObject({ status: 204, body: null })
  expect((await acme.api('GET', `/v1/keywords/${gone.shown.id}`)).status).toBe(404)
  const { body } = await acme.api('GET', '/v1/mentions')
  expect(body.data.map(({ keyword }: { keyword: { id: string } }) => keyword.id)).toEqual([
    kept.shown.id,
    kept.shown.id,
  ])
  const left = await world.db.query(
    sql`select 1 from keyword_counter where keyword_id = ${gone.uuid} union all select 1 from mention
        where keyword_id = ${gone.uuid}`,
  )
  expect(left).toEqual([])
})

test('what it cost stays, under its last name and group', async () => {
  const keyword = await makeKeyword(acme, { term: 'Costly' })
  await score(world, await store(world, [matchedBy(makePost(world), [keyword])]))
  await makeKeywordDay(world, acme.workspaceId, keyword.uuid, '2026-11-20')
  await remove(keyword.shown.id)
  const rows = await world.db.query(sql`
    select r.term, r.group_id, r.group_name, r.removed_at, u.billable, u.mention_units, d.units from removed_keyword r
    join usage_day u on u.workspace_id = r.workspace_id and u.keyword_id = r.id
      join keyword_day d on d.workspace_id = r.workspace_id and d.keyword_id = r.id where r.id = ${keyword.uuid}`)
  const { group } = keyword.shown
  expect(rows).toEqual([
    {
      term: 'Costly',
      group_id: stored('grp', group.id),
      group_name: group.name,
      removed_at: world.clock.now(),
      billable: 1,
      mention_units: 24,
      units: 500,
    },
  ])
})

test('rules forget it, and one that named nothing else matches nothing instead of everything', async () => {
  const [gone, kept] = [await makeKeyword(acme), await makeKeyword(acme)]
  const channel = accepted(await createChannel(acme, { kind: 'webhook', url: 'https://receiver.example/' }))
  const rule = async (filter: MentionFilter) =>
    stored(
      'feed',
      accepted(
        await createAlert(acme, {
          name: 'Rule',
          mode: 'instant',
          event: 'mention.matched',
          filter,
          channelIds: [stored('dest', channel.id)],
          enabled: true,
        }),
      ).id,
    )
  const rules = [
    await rule({ keywordIds: [gone.uuid, kept.uuid] }),
    await rule({ keywordIds: [gone.uuid] }),
    await rule({ keywordIds: [kept.uuid] }),
    await rule({}),
    await rule({ anyOf: [{ keywordIds: [gone.uuid, kept.uuid] }, { minRelevance: 50 }, { keywordIds: [kept.uuid] }] }),
  ]
  await remove(gone.shown.id)
  const rows = await world.db.query<{ filter: MentionFilter; version: number }>(
    sql`select filter, version from alert where id = any(${rules}::uuid[]) order by id`,
  )
  expect(rows).toEqual([
    { filter: { keywordIds: [kept.uuid] }, version: 2 },
    { filter: { keywordIds: [] }, version: 2 },
    { filter: { keywordIds: [kept.uuid] }, version: 1 },
    { filter: {}, version: 1 },
    { filter: { anyOf: [{ keywordIds: [kept.uuid] }, { minRelevance: 50 }, { keywordIds: [kept.uuid] }] }, version: 2 },
  ])
})

test('its term is free again', async () => {
  const keyword = await makeKeyword(acme, { term: 'Again' })
  await remove(keyword.shown.id)
  expect((await makeKeyword(acme, { term: 'again' })).shown.stats.mentions).toBe(0)
})

test('matchers are told', async () => {
  const keyword = await makeKeyword(acme)
  const ending = new AbortController()
  const heard = new Promise<string>((resolve) => {
    world.db.listen('earshot_keyword', resolve, () => void remove(keyword.shown.id), ending.signal)
  })
  expect(await heard).toBe(`${acme.workspaceId} ${keyword.uuid}`)
  ending.abort()
})

test('a keyword that is gone, or of another workspace, is not found', async () => {
  const other = await world.workspace('Other')
  const foreign = await makeKeyword(other)
  expect((await remove(foreign.shown.id)).body.error.code).toBe('not_found')
  expect((await remove(foreign.shown.id, other)).status).toBe(204)
  expect((await remove(foreign.shown.id, other)).status).toBe(404)
})
