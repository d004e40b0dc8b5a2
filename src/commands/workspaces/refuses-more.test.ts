import { expect, test } from 'vitest'
import { useWorld } from '../../../test/use-world.ts'
import type { TestWorkspace } from '../../../test/world.ts'
import { PRESET_EVENTS } from '../../domain/alert/presets.ts'
import { WORKSPACE_LIMITS } from '../../domain/workspace/limits.ts'
import { sql } from '../../store/database.ts'

const world = useWorld()

/** Rows that stand in for things that were made in the ordinary way. */
const FILL = {
  alerts:
    'insert into alert (workspace_id, id, name, mode, event, filter, created_at) select $W, gen_random_uuid(), n::text, $$instant$$, $$e$$, $${}$$, now()',
  channels:
    'insert into channel (workspace_id, id, kind, label, config, created_at) select $W, gen_random_uuid(), $$webhook$$, n::text, $${"url":"https://a.example/","headers":{}}$$, now()',
  groups:
    'insert into keyword_group (workspace_id, id, name, name_folded, is_default, created_at, updated_at) select $W, gen_random_uuid(), n::text, n::text, false, now(), now()',
} as const

const fill = (workspace: TestWorkspace, thing: keyof typeof FILL, count: number) =>
  world.admin(`${FILL[thing].replace('$W', `'${workspace.workspaceId}'`)} from generate_series(1, ${count}) n`)

const MAKE: Record<keyof typeof FILL, (workspace: TestWorkspace, name: string) => ReturnType<TestWorkspace['api']>> = {
  alerts: (workspace, name) => workspace.api('POST', '/v1/alerts', { name }),
  channels: (workspace, label) =>
    workspace.api('POST', '/v1/channels', { kind: 'webhook', url: 'https://hooks.example.com/', label }),
  groups: (workspace, name) => workspace.api('POST', '/v1/groups', { name }),
}

test.each(['alerts', 'channels', 'groups'] as const)(
  'of two %s that are made at once one is too many, and the next one is a conflict',
  async (thing) => {
    const workspace = await world.workspace(`Many ${thing}`)
    const there = thing === 'groups' ? 1 : 0
    await fill(workspace, thing, WORKSPACE_LIMITS[thing] - 1 - there)
    const making = await world.db.transaction(async (tx) => {
      await tx.query(sql`select from workspace where id = ${workspace.workspaceId} for update`)
      const begun = ['at once', 'as well'].map((name) => MAKE[thing](workspace, name))
      await expect
        .poll(
          () =>
            world.db.query(
              sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
            ),
          { timeout: 10_000 },
        )
        .toHaveLength(2)
      return { begun }
    })
    expect((await Promise.all(making.begun)).map(({ status }) => status).sort()).toEqual([201, 409])
    const { status, body } = await MAKE[thing](workspace, 'one more')
    expect([status, body.error.code]).toEqual([409, 'conflict'])
    expect(body.error.message).toContain(`at most ${WORKSPACE_LIMITS[thing]}`)
  },
)

test('presets make no more rules than a workspace may have, and may replace as many as they remove', async () => {
  const workspace = await world.workspace('Presets')
  const { body: channel } = await MAKE.channels(workspace, 'hook')
  const path = `/v1/channels/${channel.id}/presets`
  const set = async (events: readonly string[]) =>
    workspace.api('PUT', path, { events, version: (await workspace.api('GET', path)).body.version })
  expect((await set([PRESET_EVENTS[0]!])).status).toBe(200)
  await fill(workspace, 'alerts', WORKSPACE_LIMITS.alerts - 2)
  const refused = await set(PRESET_EVENTS.slice(0, 3))
  expect([refused.status, refused.body.error.code]).toEqual([409, 'conflict'])
  expect((await set(PRESET_EVENTS.slice(1, 3))).status).toBe(200)
  expect((await workspace.api('GET', path)).body.events).toEqual(PRESET_EVENTS.slice(1, 3))
  expect((await workspace.api('GET', '/v1/alerts')).body.data).toHaveLength(WORKSPACE_LIMITS.alerts)
})

test('a caller learns its limits', async () => {
  const workspace = await world.workspace('Asking')
  expect((await workspace.api('GET', '/v1/whoami')).body.limits).toEqual({
    keywords: 500,
    groups: 200,
    views: 500,
    segments: 100,
    channels: 50,
    alerts: 100,
    apiKeys: 100,
    namedSources: 100,
  })
})
