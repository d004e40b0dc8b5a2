import { expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, store } from '../../../test/mentions.ts'
import { createPerson } from '../../../test/people.ts'
import { useWorld } from '../../../test/use-world.ts'
import { accepted, type TestWorkspace } from '../../../test/world.ts'
import { createChannel } from '../../commands/channels/create-channel.ts'
import { runDay } from '../../commands/wallet/daily-run.ts'
import { hearing, ledgerOf, nextRun } from '../../commands/wallet/wallet-setting.suite.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import { sql } from '../../store/database.ts'
import { releaseAllLeases } from '../../store/delivery/release-leases.ts'
import { claimUnscored } from '../../store/model/unscored.ts'
import type { Role } from '../definition.ts'

const world = useWorld()

const tokenOf = async (workspace: TestWorkspace, role: Role) =>
  (await createPerson(workspace, workspace.workspaceId, role)).token

function deletion(workspace: TestWorkspace, key: string, name = 'Acme') {
  return workspace.api('DELETE', `/v1/workspace?name=${encodeURIComponent(name)}`, undefined, { key })
}

const stateOf = async (workspace: TestWorkspace) => (await workspace.api('GET', '/v1/workspace')).body

test('only an owner who gives the name schedules the deletion, for seven days later, once', async () => {
  const acme = await world.workspace('Acme')
  const owner = await tokenOf(acme, 'owner')
  for (const key of [acme.writeKey, await tokenOf(acme, 'admin'), await tokenOf(acme, 'member')])
    expect((await deletion(acme, key)).body.error.code).toBe('forbidden')
  expect((await deletion(acme, owner, 'acme')).body.error).toMatchObject({
    code: 'validation_error',
    details: [{ field: 'name', reason: 'must be the name of the workspace as it is shown: Acme' }],
  })
  expect((await stateOf(acme)).deletesAt).toBeNull()

  const deletesAt = plus(world.clock.now(), 7 * DAY_MS).toISOString()
  expect(await deletion(acme, owner)).toMatchObject({ status: 202, body: { id: acme.orgId, name: 'Acme', deletesAt } })
  await world.clock.advance(1000)
  expect((await deletion(acme, owner)).body.deletesAt).toBe(deletesAt)
  const entries = await world.db.query(sql`
    select kind, data from audit_entry where workspace_id = ${acme.workspaceId} and kind like 'workspace.%'`)
  expect(entries).toEqual([{ kind: 'workspace.deletion_scheduled', data: { deletesAt } }])
})

test('until then it is read, every other write is a conflict, and other workspaces go on', async () => {
  const [acme, other] = [await world.workspace('Acme'), await world.workspace('Acme')]
  await deletion(acme, await tokenOf(acme, 'owner'))
  expect((await acme.api('GET', '/v1/keywords')).status).toBe(200)
  expect((await acme.api('GET', '/v1/mentions/export.csv')).status).toBe(200)
  const written = await acme.api('POST', '/v1/groups', { name: 'New' })
  expect(written).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } })
  expect(written.body.error.message).toContain('An owner can restore it.')
  expect((await other.api('POST', '/v1/groups', { name: 'New' })).status).toBe(201)
})

test('keywords, channels, scores and charges stop at once', async () => {
  const acme = await hearing(world)
  const { name } = await stateOf(acme)
  const keyword = await makeKeyword(acme)
  await store(world, [matchedBy(makePost(world), [keyword])])
  const before = await ledgerOf(world, acme)
  await deletion(acme, await tokenOf(acme, 'owner'), name)

  expect((await acme.api('GET', `/v1/keywords/${keyword.shown.id}`)).body.muted).toBe(true)
  expect((await acme.api('GET', '/v1/channels')).body.data).toEqual([expect.objectContaining({ enabled: false })])
  await store(world, [matchedBy(makePost(world), [keyword])])
  expect((await acme.api('GET', '/v1/mentions')).body.data).toHaveLength(1)
  nextRun(world)
  await runDay(world.services)
  expect(await ledgerOf(world, acme)).toEqual(before)
  // A start of the only process gives back what a dead one held, but not this.
  const now = world.clock.now()
  await releaseAllLeases(world.db, now)
  const claim = { at: now, leasedUntil: plus(now, DAY_MS), limit: 100, together: 1 }
  expect(await claimUnscored(world.db, claim)).toEqual([])
})

test('deliveries that wait are cancelled', async () => {
  const acme = await world.workspace('Acme')
  const channel = accepted(await createChannel(acme, { kind: 'webhook', url: 'https://receiver.example/' }))
  await world.admin(`
    insert into delivery (workspace_id, id, channel_id, kind, event, data, status, created_at)
      select workspace_id, gen_random_uuid(), id, 'event', 'wallet.low', '{}', 'pending', now() from channel
      where workspace_id = '${acme.workspaceId}';
    insert into delivery_queue (workspace_id, delivery_id, channel_id, due_at)
      select workspace_id, id, channel_id, now() from delivery where workspace_id = '${acme.workspaceId}'`)
  await deletion(acme, await tokenOf(acme, 'owner'))
  const { body } = await acme.api('GET', `/v1/channels/${channel.id}/deliveries`)
  expect(body.data).toEqual([expect.objectContaining({ status: 'cancelled', error: 'the workspace is being deleted' })])
})
