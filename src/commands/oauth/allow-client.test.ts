import { beforeAll, expect, test } from 'vitest'
import { createPerson, type Person } from '../../../test/people.ts'
import { removeMembership } from '../../../test/rows.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import type { AuthorizationRequest } from '../../domain/oauth/authorization-request.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { secretOf } from '../../kernel/secrets.ts'
import { sql } from '../../store/database.ts'
import { endAccess } from '../accounts/end-access.ts'
import { allowClient } from './allow-client.ts'
import { type RegisteredClient, registerClient } from './register-client.ts'

let client: RegisteredClient
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(async () => {
  client = await registerClient(world.services, {
    name: 'Robot',
    redirectUris: ['https://client.example/cb'],
    homeUrl: null,
    authMethod: 'none',
    keys: null,
  })
})

const request = (): AuthorizationRequest => ({
  client,
  redirectUri: 'https://client.example/cb',
  state: null,
  challenge: 'x'.repeat(43),
  scope: 'read',
  resource: 'https://earshot.test/mcp',
})
const by = ({ userId, sessionSecret }: Person) => ({
  request: request(),
  userId,
  sessionHash: secretOf(sessionSecret)!.hash,
  scope: 'read' as const,
})
const grantsOf = async (userId: string) =>
  (await world.db.query(sql`select 1 from oauth_grant where user_id = ${userId} and client_id = ${client.id}`)).length

test('nobody allows anything in a workspace that they do not belong to, or not any more', async () => {
  const stranger = await createPerson(world.services, (await world.workspace('Bravo')).workspaceId, 'owner')
  const answer = await allowClient(acme, by(stranger))
  expect([isRefusal(answer), await grantsOf(stranger.userId)]).toEqual([true, 0])
})

test('a person who is being removed at the same time leaves no grant that works', async () => {
  const person = await createPerson(world.services, acme.workspaceId, 'member')
  const { userId } = person
  const removed = world.db.transaction(async (tx) => {
    await removeMembership({ db: tx }, { workspaceId: acme.workspaceId, userId })
    await tx.query(
      sql`update oauth_grant set revoked_at = now() where workspace_id = ${acme.workspaceId} and user_id = ${userId}
          and revoked_at is null`,
    )
  })
  await Promise.all([removed, ...Array.from({ length: 5 }, () => allowClient(acme, by(person)))])
  expect(await world.db.query(sql`select 1 from oauth_grant where user_id = ${userId} and revoked_at is null`)).toEqual(
    [],
  )
})

test('a client that was forgotten while its page was open gets nothing', async () => {
  const person = await createPerson(world.services, acme.workspaceId, 'member')
  const gone = { ...request(), client: { ...client, id: 'gone' } }
  expect(isRefusal(await allowClient(acme, { ...by(person), request: gone }))).toBe(true)
})

test('who has lost all access meanwhile, as by a new password, allows nothing, and what was allowed just before ends with it', async () => {
  const person = await createPerson(world.services, acme.workspaceId, 'member')
  const { userId } = person
  const ended = world.db.transaction(async (tx) => {
    await tx.query(sql`select 1 from user_account where id = ${userId} for update`)
    await endAccess(tx, userId, 'password', world.clock.now())
  })
  await Promise.all([ended, ...Array.from({ length: 5 }, () => allowClient(acme, by(person)))])
  expect(await world.db.query(sql`select 1 from oauth_grant where user_id = ${userId} and revoked_at is null`)).toEqual(
    [],
  )
  expect(isRefusal(await allowClient(acme, by(person)))).toBe(true)
})
