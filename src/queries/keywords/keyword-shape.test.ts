import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeKeyword } from '../../../test/mentions.ts'
import { createWorld, type World } from '../../../test/world.ts'
import { MINUTE_MS } from '../../kernel/clock.ts'
import { sql } from '../../store/database.ts'
import { notePoll, registerSources } from '../../store/source-state.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

test('polling lists every scheduled platform of a keyword, and polls only since they look for it', async () => {
  const acme = await world.workspace('Acme')
  const polled = (source: string) => world.db.transaction((tx) => notePoll(tx, source, 0, world.clock.now(), null))
  const sources = [
    { source: 'bluesky', scheduled: false },
    { source: 'hackernews', scheduled: true },
    { source: 'x', scheduled: true },
  ]
  await world.db.transaction((tx) => registerSources(tx, sources, world.clock.now()))
  await world.db.query(sql`insert into source_state (source, updated_at) values ('reddit', ${world.clock.now()})`)
  for (const source of ['hackernews', 'reddit', 'bluesky']) await polled(source)
  await world.clock.advance(MINUTE_MS)
  const everywhere = await makeKeyword(acme)
  const narrow = await makeKeyword(acme, { platforms: ['x'] })
  const pollingOf = async ({ shown }: typeof everywhere) => (await acme.api('GET', `/v1/keywords/${shown.id}`)).body.polling
  const never = (platform: string) => ({ platform, lastPolledAt: null, emptyPolls: 0 })

  expect(everywhere.shown.polling).toEqual([never('hackernews'), never('x')])
  expect(await pollingOf(narrow)).toEqual([never('x')])
  await world.clock.advance(MINUTE_MS)
  await polled('hackernews')
  const lastPolledAt = world.clock.now().toISOString()
  expect(await pollingOf(everywhere)).toEqual([{ platform: 'hackernews', lastPolledAt, emptyPolls: 2 }, never('x')])
  await acme.api('PATCH', `/v1/keywords/${everywhere.shown.id}`, { muted: true })
  expect(await pollingOf(everywhere)).toEqual([never('hackernews'), never('x')])
})
