import { expect, test } from 'vitest'
import { makeMailChannel } from '../../../test/mail-channel.ts'
import { createPerson } from '../../../test/people.ts'
import { useFreshWorkspace, useWorld } from '../../../test/use-world.ts'
import type { TestWorkspace } from '../../../test/world.ts'
import type { SuppressionReason } from '../../domain/channel/suppression.ts'
import type { Role } from '../../domain/member/member.ts'
import { suppress, suppressedAmong } from '../../store/channel/suppressions.ts'

const world = useWorld()
const acme = useFreshWorkspace(world, 'Acme')
const EMAIL = 'gone@example.com'

async function suppressedIn(workspace: TestWorkspace, reason: SuppressionReason = 'bounce'): Promise<string> {
  await makeMailChannel(workspace, [{ email: 'Gone@example.com', confirmedAt: null }])
  await world.db.transaction((tx) => suppress(tx, [EMAIL], reason, world.clock.now()))
  return (await workspace.api('GET', '/v1/suppressions')).body.data[0].id
}

const remove = async (id: string, key = acme.writeKey) => {
  const { status, body } = await acme.api('DELETE', `/v1/suppressions/${id}`, undefined, { key })
  return [status, body?.error?.code ?? null]
}
const isSuppressed = async () => (await suppressedAmong(world.db, [EMAIL])).has(EMAIL)

test('an address that bounced gets mail again, once, until it bounces again', async () => {
  const id = await suppressedIn(acme)
  expect(await remove(id)).toEqual([204, null])
  expect(await isSuppressed()).toBe(false)
  expect(await remove(id)).toEqual([404, 'not_found'])
  expect(await suppressedIn(acme)).not.toBe(id)
})

test('owners and admins may, and members may not', async () => {
  const became: Record<string, unknown> = {}
  for (const role of ['owner', 'admin', 'member'] as Role[]) {
    const id = await suppressedIn(acme)
    const { token } = await createPerson(world.services, acme.workspaceId, role)
    became[role] = await remove(id, token)
  }
  expect(became).toEqual({ owner: [204, null], admin: [204, null], member: [403, 'forbidden'] })
})

test('who reported spam gets mail again only when the operator says so', async () => {
  await world.services.db.transaction((tx) => suppress(tx, [EMAIL], 'bounce', world.clock.now()))
  const id = await suppressedIn(acme, 'complaint')
  expect(await remove(id)).toEqual([409, 'recipient_suppressed'])
  expect(await isSuppressed()).toBe(true)
})

test('a workspace ends no suppression of an address that it does not write to', async () => {
  const other = await world.workspace('Other')
  const id = await suppressedIn(other)
  expect(await remove(id)).toEqual([404, 'not_found'])
  expect(await isSuppressed()).toBe(true)
})
