import { beforeEach, expect, test } from 'vitest'
import { createPerson, createToken, type Person } from '../../../test/people.ts'
import { useFreshWorkspace, useWorld } from '../../../test/use-world.ts'
import { toolServerUrl } from '../../domain/workspace/workspace.ts'
import { HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts'
import { newUuid } from '../../kernel/ids.ts'
import { withOrigin } from '../../kernel/origin.ts'
import { listGrantsOf } from '../../queries/accounts/list-grants-of.ts'
import { sql } from '../../store/database.ts'
import { endAccess } from '../accounts/end-access.ts'
import { revokeGrant } from '../accounts/revoke-grant.ts'
import { createApiKey } from '../api-keys/create-api-key.ts'
import { refreshTokens } from './refresh-tokens.ts'
import { revokeToken } from './revoke-token.ts'

let person: Person
const world = useWorld()
const acme = useFreshWorkspace(world, 'Acme')
beforeEach(async () => {
  person = await createPerson(world.services, acme.workspaceId, 'owner')
})

const clientId = async () =>
  (await world.db.query<{ id: string }>(sql`select client_id as id from oauth_grant where id = ${person.grantId}`))[0]!
    .id

/** Ways in which what an app was allowed ends. */
const ENDINGS: Readonly<Record<string, () => Promise<unknown>>> = {
  'the person takes it back': () =>
    revokeGrant(world.services, person.userId, { workspaceId: acme.workspaceId, id: person.grantId }),
  'the app gives it back': async () => revokeToken(world.services, await clientId(), person.token),
  'a refresh token comes twice': async () => {
    const refreshToken = await createToken(world.services, acme.workspaceId, person.grantId, 'ert')
    const asked = { clientId: await clientId(), refreshToken, scope: 'write' as const }
    expect(await refreshTokens(world.services, asked)).toHaveProperty('accessToken')
    await world.clock.advance(MINUTE_MS)
    expect(await refreshTokens(world.services, asked)).toMatchObject({ error: 'invalid_grant' })
  },
  'all access of the person ends': () =>
    world.db.transaction((tx) => endAccess(tx, person.userId, 'password', world.clock.now())),
}

test.each(Object.keys(ENDINGS))(
  'when %s, keys and invitations that the app made end with it, and only these',
  async (ending) => {
    const byApp = { key: person.token }
    const made = (await acme.api('POST', '/v1/api-keys', { name: 'Of the app', scope: 'write' }, byApp)).body
    const kept = (await acme.api('POST', '/v1/api-keys', { name: 'Of the workspace', scope: 'read' })).body
    const email = 'back-door@people.example'
    expect((await acme.api('POST', '/v1/members/invitations', { email, role: 'admin' }, byApp)).status).toBe(201)
    const channel = (
      await acme.api(
        'POST',
        '/v1/channels',
        { kind: 'webhook', url: 'https://receiver.example/', label: 'Of the app' },
        byApp,
      )
    ).body
    const [grant] = await listGrantsOf(world.db, person.userId, world.clock.now())
    expect(grant!.made).toEqual({ keys: ['Of the app'], invitations: [email], channels: ['Of the app'] })

    await ENDINGS[ending]!()
    const statuses = async () =>
      Promise.all(
        [person.token, made.key, kept.key].map(
          async (key) => (await acme.api('GET', '/v1/groups', undefined, { key })).status,
        ),
      )
    expect(await statuses()).toEqual([401, 401, 200])
    expect(await world.db.query(sql`select from invitation where workspace_id = ${acme.workspaceId}`)).toEqual([])
    expect((await acme.api('GET', `/v1/channels/${channel.id}`)).status).toBe(200)
    const told = await world.db.query<{ kind: string; name: string }>(sql`
    select kind, target_name as name from audit_entry where workspace_id = ${acme.workspaceId} and kind in ('app.ended',
      'api_key.revoked', 'invitation.withdrawn') order by kind`)
    expect(told).toEqual([
      { kind: 'api_key.revoked', name: 'Of the app' },
      { kind: 'app.ended', name: 'A client' },
      { kind: 'invitation.withdrawn', name: email },
    ])
  },
)

test('a key that is made while the app is taken back ends with it, or is not made', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { userId, grantId } = await createPerson(world.services, acme.workspaceId, 'owner')
    const origin = { agent: { kind: 'person' as const, id: userId, grantId }, address: null, requestId: null }
    const making = () =>
      withOrigin({ ...origin }, () => createApiKey(acme, { name: 'Racing', scope: 'read', expiresAt: null }))
    await Promise.all([
      making(),
      revokeGrant(world.services, userId, { workspaceId: acme.workspaceId, id: grantId }),
      making(),
    ])
    expect(await making()).toMatchObject({ code: 'unauthorized' })
  }
  expect(
    await world.db.query(
      sql`select from api_key where workspace_id = ${acme.workspaceId} and name = 'Racing' and revoked_at is null`,
    ),
  ).toEqual([])
})

test('an app that was allowed twice is told of once when it ends', async () => {
  const id = newUuid(world.clock.now())
  await world.db.query(sql`
    insert into oauth_grant (workspace_id, id, user_id, client_id, scope, resource, created_at)
    values (${acme.workspaceId}, ${id}, ${person.userId}, ${await clientId()}, 'read',
      ${toolServerUrl(world.services.publicUrl)}, ${new Date(world.clock.now().getTime() - HOUR_MS)})`)
  expect(await revokeGrant(world.services, person.userId, { workspaceId: acme.workspaceId, id })).toBeUndefined()
  expect(
    await world.db.query(sql`select from audit_entry where workspace_id = ${acme.workspaceId} and kind = 'app.ended'`),
  ).toHaveLength(1)
})
