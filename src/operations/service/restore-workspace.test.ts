import { expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, store } from '../../../test/mentions.ts'
import { createPerson } from '../../../test/people.ts'
import { useWorld } from '../../../test/use-world.ts'
import { accepted, type TestWorkspace } from '../../../test/world.ts'
import { createChannel } from '../../commands/channels/create-channel.ts'
import { grantCredit } from '../../commands/wallet/grant-credit.ts'
import { setBalance } from '../../commands/wallet/wallet-setting.suite.ts'
import { watchWallets } from '../../commands/wallet/watch-wallets.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import { claimUnscored } from '../../store/model/unscored.ts'

const world = useWorld()

async function scheduled(workspace: TestWorkspace): Promise<string> {
  const { token } = await createPerson(workspace, workspace.workspaceId, 'owner')
  const answer = await workspace.api('DELETE', '/v1/workspace?name=Acme', undefined, { key: token })
  expect(answer.status).toBe(202)
  return token
}

const restore = (workspace: TestWorkspace, key: string) =>
  workspace.api('POST', '/v1/workspace/restore', undefined, { key })

async function keywordsOf(workspace: TestWorkspace): Promise<Record<string, object>> {
  const { body } = await workspace.api('GET', '/v1/keywords')
  return Object.fromEntries(
    body.data.map((keyword: { term: string; muted: boolean; pausedForBalance: boolean }) => [
      keyword.term,
      { muted: keyword.muted, pausedForBalance: keyword.pausedForBalance },
    ]),
  )
}

const RUNS = { muted: false, pausedForBalance: false }

test('what the deletion stopped runs again, and what was off before stays off', async () => {
  const acme = await world.workspace('Acme')
  const running = await makeKeyword(acme, { term: 'running' })
  const muted = await makeKeyword(acme, { term: 'muted' })
  await acme.api('PATCH', `/v1/keywords/${muted.shown.id}`, { muted: true })
  const channels = [1, 2].map(() => createChannel(acme, { kind: 'webhook', url: 'https://receiver.example/' }))
  const [on, off] = (await Promise.all(channels)).map(accepted)
  await acme.api('PATCH', `/v1/channels/${off!.id}`, { enabled: false })
  await store(world, [matchedBy(makePost(world), [running])])
  const owner = await scheduled(acme)

  expect(await restore(acme, owner)).toMatchObject({ status: 200, body: { name: 'Acme', deletesAt: null } })
  expect(await keywordsOf(acme)).toEqual({ running: RUNS, muted: { muted: true, pausedForBalance: false } })
  expect((await acme.api('GET', `/v1/channels/${on!.id}`)).body.enabled).toBe(true)
  expect((await acme.api('GET', `/v1/channels/${off!.id}`)).body.enabled).toBe(false)
  const at = world.clock.now()
  const claim = { at, leasedUntil: plus(at, DAY_MS), limit: 100, together: 1 }
  expect(await claimUnscored(world.db, claim)).toHaveLength(1)
  expect((await acme.api('POST', '/v1/groups', { name: 'New' })).status).toBe(201)
})

test('keywords that the balance does not cover any more are paused for it', async () => {
  const acme = await world.workspace('Acme')
  await makeKeyword(acme, { term: 'running' })
  const owner = await scheduled(acme)
  await setBalance(world, acme, 0)
  await restore(acme, owner)
  await watchWallets(world.services)
  expect(await keywordsOf(acme)).toEqual({ running: { muted: true, pausedForBalance: true } })
})

test('a credit starts nothing before the restore', async () => {
  const acme = await world.workspace('Acme')
  await makeKeyword(acme, { term: 'short of money' })
  await setBalance(world, acme, -1)
  await watchWallets(world.services)
  const owner = await scheduled(acme)
  await grantCredit(acme, 10_000)
  expect(await keywordsOf(acme)).toEqual({ 'short of money': { muted: true, pausedForBalance: true } })
  await restore(acme, owner)
  expect(await keywordsOf(acme)).toEqual({ 'short of money': RUNS })
})

test('only owners restore, never after the time, and a workspace that stays is left alone', async () => {
  const acme = await world.workspace('Acme')
  const { token } = await createPerson(acme, acme.workspaceId, 'owner')
  expect((await restore(acme, token)).body.deletesAt).toBeNull()
  const owner = await scheduled(acme)
  const admin = await createPerson(acme, acme.workspaceId, 'admin')
  expect((await restore(acme, admin.token)).body.error.code).toBe('forbidden')
  const before = world.clock.now()
  world.clock.set(plus(before, 7 * DAY_MS))
  const late = await createPerson(acme, acme.workspaceId, 'owner')
  expect((await restore(acme, late.token)).body.error).toMatchObject({ code: 'conflict' })
  world.clock.set(before)
  expect((await restore(acme, owner)).status).toBe(200)
})
