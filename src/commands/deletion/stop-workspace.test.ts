import { expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, score, store } from '../../../test/mentions.ts'
import { createPerson } from '../../../test/people.ts'
import { useWorld } from '../../../test/use-world.ts'
import { accepted } from '../../../test/world.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import { fromId } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { claimUnscored } from '../../store/model/unscored.ts'
import { createChannel } from '../channels/create-channel.ts'
import { updateChannel } from '../channels/update-channel.ts'
import { updateKeyword } from '../keywords/update-keyword.ts'
import { removeWorkspaces } from './remove-workspaces.ts'
import { settleLeaving } from './stop-workspace.ts'

const world = useWorld()

test('what a request that was under way starts in a workspace that is deleted is stopped, and restored', async () => {
  const acme = await world.workspace('Acme')
  const keyword = await makeKeyword(acme)
  const channel = accepted(await createChannel(acme, { kind: 'webhook', url: 'https://receiver.example/' }))
  const channelId = fromId('dest', channel.id)!
  const rule = { name: 'All', filter: {}, channelIds: [channel.id] }
  expect((await acme.api('POST', '/v1/alerts', rule)).status).toBe(201)
  await updateKeyword(acme, keyword.uuid, { muted: true })
  const key = (await createPerson(acme, acme.workspaceId, 'owner')).token
  expect((await acme.api('DELETE', '/v1/workspace?name=Acme', undefined, { key })).status).toBe(202)

  // The operations refuse this from now on, so the commands stand for requests that were accepted before.
  accepted(await updateKeyword(acme, keyword.uuid, { muted: false }))
  accepted(await updateChannel(acme, channelId, { enabled: true }))
  await score(world, await store(world, [matchedBy(makePost(world), [keyword])]))
  await store(world, [matchedBy(makePost(world), [keyword])])
  expect(await removeWorkspaces(world.services)).toBe(0)

  const shown = async (path: string) => (await acme.api('GET', path)).body
  expect(await shown(`/v1/keywords/${keyword.shown.id}`)).toMatchObject({ muted: true })
  expect(await shown(`/v1/channels/${channel.id}`)).toMatchObject({ enabled: false })
  expect((await shown('/v1/deliveries')).data).toMatchObject([
    { status: 'cancelled', error: 'the workspace is being deleted' },
  ])
  const at = world.clock.now()
  const claim = { at, leasedUntil: plus(at, DAY_MS), limit: 100, together: 1 }
  expect(await claimUnscored(world.db, claim)).toEqual([])

  expect((await acme.api('POST', '/v1/workspace/restore', undefined, { key })).status).toBe(200)
  expect(await shown(`/v1/keywords/${keyword.shown.id}`)).toMatchObject({ muted: false })
  expect(await shown(`/v1/channels/${channel.id}`)).toMatchObject({ enabled: true })
})

test('unscored mentions are held in portions, and what is held is not written again', async () => {
  const acme = await world.workspace('Long')
  const key = (await createPerson(acme, acme.workspaceId, 'owner')).token
  expect((await acme.api('DELETE', '/v1/workspace?name=Long', undefined, { key })).status).toBe(202)
  await world.db.query(sql`
    insert into score_queue (workspace_id, mention_id, leased_until)
      select ${acme.workspaceId}, gen_random_uuid(), now() from generate_series(1, 1001)`)
  const versions = () =>
    world.db.query(sql`
      select leased_until = 'infinity' as held, xmin::text as version, count(*)::int as rows from score_queue
      where workspace_id = ${acme.workspaceId} group by 1, 2 order by 3`)
  await settleLeaving(world.services, acme.workspaceId)
  const first = await versions()
  expect(first).toMatchObject([
    { held: true, rows: 1 },
    { held: true, rows: 1000 },
  ])
  await settleLeaving(world.services, acme.workspaceId)
  expect(await versions()).toEqual(first)
})

test('a workspace that stays is left as it is', async () => {
  const acme = await world.workspace('Staying')
  const keyword = await makeKeyword(acme)
  await settleLeaving(world.services, acme.workspaceId)
  expect((await acme.api('GET', `/v1/keywords/${keyword.shown.id}`)).body.muted).toBe(false)
})
