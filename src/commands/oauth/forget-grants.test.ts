import { beforeAll, expect, test } from 'vitest'
import { createPerson } from '../../../test/people.ts'
import { changeSessions, empty } from '../../../test/rows.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { accepted } from '../../../test/world.ts'
import type { Client } from '../../domain/oauth/client.ts'
import { ACCESS_TOKEN_MS, REFRESH_TOKEN_MS, REPEAT_MS } from '../../domain/oauth/lifetimes.ts'
import { isOAuthRefusal, type OAuthRefusal } from '../../domain/oauth/refusal.ts'
import { DAY_MS, HOUR_MS } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { secretOf } from '../../kernel/secrets.ts'
import { sql } from '../../store/database.ts'
import { allowClient } from './allow-client.ts'
import { exchangeCode } from './exchange-code.ts'
import { forgetClients } from './forget-clients.ts'
import { forgetGrants } from './forget-grants.ts'
import type { IssuedTokens } from './issue-tokens.ts'
import { knowClient } from './know-client.ts'
import { refreshTokens } from './refresh-tokens.ts'
import { type RegisteredClient, registerClient } from './register-client.ts'
import { revokeToken } from './revoke-token.ts'

let client: RegisteredClient
let userId: Uuid
let sessionHash: Buffer
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(async () => {
  const person = await createPerson(world.services, acme.workspaceId, 'owner')
  userId = person.userId
  sessionHash = secretOf(person.sessionSecret)!.hash
  await changeSessions(world, {}, { expiresAt: new Date('2100-01-01') })
  await empty(world, 'oauth_client')
  client = await registerClient(world.services, {
    name: 'Robot',
    redirectUris: ['https://client.example/cb'],
    homeUrl: null,
    authMethod: 'none',
    keys: null,
  })
})

// The SHA-256 of 43 times the letter a.
const VERIFIER = 'a'.repeat(43)
const CHALLENGE = 'ZtNPunH49FD35FWYhT5Tv8I7vRKQJ8uxMaL0_9eHjNA'

async function allow(item: Client = client): Promise<string> {
  const request = {
    client: item,
    redirectUri: 'https://client.example/cb',
    state: null,
    challenge: CHALLENGE,
    scope: 'read',
    resource: 'https://earshot.test/mcp',
  } as const
  return accepted(await allowClient(acme, { request, userId, sessionHash, scope: 'read' })).code
}
const exchange = async (code: string) =>
  issued(
    await exchangeCode(world.services, {
      clientId: client.id,
      code,
      redirectUri: 'https://client.example/cb',
      verifier: VERIFIER,
    }),
  )
const refresh = (refreshToken: string) =>
  refreshTokens(world.services, { clientId: client.id, refreshToken, scope: 'write' })

function issued(answer: IssuedTokens | OAuthRefusal): IssuedTokens {
  if (isOAuthRefusal(answer)) throw new Error(answer.description)
  return answer
}

async function counts(): Promise<number[]> {
  const [row] = await world.db.query<{ grants: number; codes: number; tokens: number }>(sql`
    select (select count(*)::int from oauth_grant) as grants, (select count(*)::int
      from oauth_code) as codes, (select count(*)::int from oauth_token) as tokens`)
  return [row!.grants, row!.codes, row!.tokens]
}

test('a code that nobody fetched is forgotten with its grant, but not at once', async () => {
  const code = await allow()
  await forgetGrants(world.services)
  await exchange(code)
  await allow()
  expect(await counts()).toEqual([2, 2, 2])
  await world.clock.advance(HOUR_MS + 1)
  expect(await forgetGrants(world.services)).toBe(1)
  expect(await counts()).toEqual([1, 1, 2])
  await empty(world, 'oauth_grant')
})

test('a grant stays as long as one of its tokens can be used, and so does what shows that a token came twice', async () => {
  const first = await exchange(await allow())
  await world.clock.advance(REFRESH_TOKEN_MS - DAY_MS)
  const second = issued(await refresh(first.refreshToken))
  await forgetGrants(world.services)
  // The access token of the first pair is gone; its used refresh token and the new pair are there.
  expect(await counts()).toEqual([1, 1, 3])
  await world.clock.advance(REFRESH_TOKEN_MS - 1)
  await forgetGrants(world.services)
  expect(await counts()).toEqual([1, 1, 1])
  const third = issued(await refresh(second.refreshToken))
  await world.clock.advance(REPEAT_MS)
  expect(isOAuthRefusal(await refresh(second.refreshToken))).toBe(true)
  expect(isOAuthRefusal(await refresh(third.refreshToken))).toBe(true)
})

test('a revoked grant is forgotten with all its tokens', async () => {
  await empty(world, 'oauth_grant')
  const { accessToken } = await exchange(await allow())
  await revokeToken(world.services, client.id, accessToken)
  await forgetGrants(world.services)
  expect(await counts()).toEqual([1, 1, 2])
  await world.clock.advance(HOUR_MS + 1)
  expect(await forgetGrants(world.services)).toBe(1)
  expect(await counts()).toEqual([0, 0, 0])
})

test('more than a portion is forgotten in one run', async () => {
  const { refreshToken } = await exchange(await allow())
  await world.db.query(sql`
    insert into oauth_token (hash, kind, workspace_id, grant_id, scope, created_at, expires_at)
    select sha256(n::text::bytea), 'access', g.workspace_id, g.id, 'read', ${world.clock.now()}, ${world.clock.now()}
      from generate_series(1, 2500) n, (select * from oauth_grant order by created_at desc limit 1) g`)
  await world.clock.advance(ACCESS_TOKEN_MS + HOUR_MS + 1)
  expect(await forgetGrants(world.services)).toBe(2501)
  issued(await refresh(refreshToken))
})

test('a client is forgotten ninety days after its last use, unless it holds something', async () => {
  await empty(world, 'oauth_grant')
  const kept = async () => (await world.db.query(sql`select id from oauth_client where id = ${client.id}`)).length
  const tokens = await exchange(await allow())
  await world.clock.advance(29 * DAY_MS)
  // Renewing is use as well.
  await refresh(tokens.refreshToken)
  await world.clock.advance(91 * DAY_MS)
  await forgetClients(world.services)
  expect(await kept()).toBe(1)
  await forgetGrants(world.services)
  await world.clock.advance(-DAY_MS - HOUR_MS)
  await forgetClients(world.services)
  expect(await kept()).toBe(1)
  await world.clock.advance(2 * HOUR_MS)
  await forgetClients(world.services)
  expect(await kept()).toBe(1)
  await world.clock.advance(DAY_MS)
  expect(await forgetClients(world.services)).toBe(1)
  expect(await kept()).toBe(0)
})

test('a client that registered and was never allowed anything is forgotten after two days', async () => {
  const { id } = await registerClient(world.services, {
    name: 'Idle',
    redirectUris: ['https://client.example/cb'],
    homeUrl: null,
    authMethod: 'none',
    keys: null,
  })
  const kept = async () => (await world.db.query(sql`select 1 from oauth_client where id = ${id}`)).length
  await world.clock.advance(2 * DAY_MS)
  await forgetClients(world.services)
  expect(await kept()).toBe(1)
  await world.clock.advance(HOUR_MS + 1)
  expect(await forgetClients(world.services)).toBe(1)
  expect(await kept()).toBe(0)
})

test('a document is forgotten soon after its time, unless somebody allowed its client something', async () => {
  const know = (id: string) =>
    knowClient(world.services, id, async () => ({
      status: 200,
      contentType: 'application/json',
      cacheControl: 'max-age=3600',
      ageSeconds: null,
      text: JSON.stringify({ client_id: id, redirect_uris: ['https://client.example/cb'] }),
    }))
  const [seen, used] = [await know('https://seen.example/c.json'), await know('https://used.example/c.json')]
  if (isOAuthRefusal(seen) || isOAuthRefusal(used)) throw new Error('a document was not taken')
  await changeSessions(world, {}, { expiresAt: new Date('2100-01-01') })
  await allow(used)
  await world.clock.advance(2 * HOUR_MS + 1)
  await forgetClients(world.services)
  const left = async () =>
    (await world.db.query<{ id: string }>(sql`select id from oauth_client where id in (${seen.id}, ${used.id})`)).map(
      ({ id }) => id,
    )
  expect(await left()).toEqual([used.id])
  // Reading it anew makes its time no shorter.
  await know(used.id)
  await forgetGrants(world.services)
  await world.clock.advance(DAY_MS)
  await forgetClients(world.services)
  expect(await left()).toEqual([used.id])
})
