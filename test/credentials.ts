import { createHash, randomBytes } from 'node:crypto'
import { createApiKey } from '../src/commands/api-keys/create-api-key.ts'
import { revokeApiKey } from '../src/commands/api-keys/revoke-api-key.ts'
import type { Role } from '../src/domain/member/member.ts'
import { HOUR_MS, plus } from '../src/kernel/clock.ts'
import { newSecret, secretOf } from '../src/kernel/secrets.ts'
import { sql } from '../src/store/database.ts'
import { accepted, stored } from './makers.ts'
import { createPerson, createToken, type Person } from './people.ts'
import { changeSessions, removeMembership } from './rows.ts'
import { PUBLIC_URL, type TestWorkspace, type World } from './world.ts'

/**
 * What a credential is worth at a door: nothing was shown, something that is none, a session that is over, nothing by a
 * page of another origin, or somebody with a standing.
 */
export type Worth = 'missing' | 'bad' | 'signed out' | 'foreign page' | Standing

export interface Standing {
  scope: 'read' | 'write'
  /** Null for an API key, which acts as its workspace. */
  role: Role | null
  /** True where only what changes nothing is taken, because the page did not prove that it is ours. */
  withoutFormToken?: true
}

/** One way to show, or not to show, who is asking. */
export interface Credential {
  name: string
  headers: Record<string, string>
  rest: Worth
  tools: Worth
}

/**
 * Every kind of credential there is for a workspace, good and bad. Moves the clock on by an hour and a bit, so that
 * some of them are over.
 */
export async function everyCredential(world: World, acme: TestWorkspace): Promise<Credential[]> {
  const soon = plus(world.clock.now(), HOUR_MS)
  const expired = accepted(await createApiKey(acme, { name: 'Expired', scope: 'write', expiresAt: soon }))
  const late = await createPerson(world.services, acme.workspaceId, 'owner')
  await changeSessions(world, { userId: late.userId }, { expiresAt: soon })
  await world.clock.advance(HOUR_MS)
  return [
    ...(await keys(acme, expired.key)),
    ...(await tokens(world, acme, late)),
    ...(await sessions(world, acme, late)),
  ]
}

async function keys(acme: TestWorkspace, expired: string): Promise<Credential[]> {
  const revoked = accepted(await createApiKey(acme, { name: 'Revoked', scope: 'write', expiresAt: null }))
  accepted(await revokeApiKey(acme, stored('key', revoked.id)))
  return [
    { name: 'none', headers: {}, rest: 'missing', tools: 'missing' },
    bearer('an unknown key', `ref_${randomBytes(32).toString('base64url')}`, 'bad'),
    bearer('a shortened key', acme.writeKey.slice(0, -1), 'bad'),
    bearer('an expired key', expired, 'bad'),
    bearer('a revoked key', revoked.key, 'bad'),
    bearer('a key that calls itself a token', acme.writeKey.replace(/^ref/, 'eat'), 'bad'),
    bearer('a read key', acme.readKey, { scope: 'read', role: null }),
    bearer('a write key', acme.writeKey, { scope: 'write', role: null }),
  ]
}

async function tokens(world: World, acme: TestWorkspace, late: Person): Promise<Credential[]> {
  const { services, db, clock } = world
  const person = (role: Role, options: Parameters<typeof createPerson>[3] = {}) =>
    createPerson(services, acme.workspaceId, role, options)
  const good: Credential[] = []
  for (const role of ROLES)
    for (const scope of ['read', 'write'] as const)
      good.push(bearer(`a ${scope} token of a ${role}`, (await person(role, { scope })).token, { scope, role }))

  const revoked = await person('owner')
  await db.query(sql`update oauth_grant set revoked_at = ${clock.now()} where id = ${revoked.grantId}`)
  const removed = await person('owner')
  await removeMembership({ db }, { userId: removed.userId })
  const gone = await person('owner')
  await db.query(sql`delete from user_account where id = ${gone.userId}`)
  const demoted = await person('owner')
  await db.query(sql`update membership set role = 'member' where user_id = ${demoted.userId}`)
  const owner = await person('owner')
  const code = newSecret('eac')
  await db.query(sql`
    insert into oauth_code (hash, workspace_id, grant_id, redirect_uri, challenge, expires_at)
    values (${code.hash}, ${acme.workspaceId}, ${owner.grantId}, 'https://client.example/callback', 'challenge',
      ${plus(clock.now(), HOUR_MS)})`)
  const tokenOf = (kind: 'eat' | 'ert') => createToken(services, acme.workspaceId, owner.grantId, kind)
  const refresh = await tokenOf('ert')
  // What a token calls itself and what is noted of it have to agree, so that one mistake is not enough.
  const [noted, named] = [await tokenOf('eat'), await tokenOf('ert')]
  await db.query(sql`update oauth_token set kind = 'refresh' where hash = ${secretOf(noted)!.hash}`)
  await db.query(sql`update oauth_token set kind = 'access' where hash = ${secretOf(named)!.hash}`)
  return [
    ...good,
    bearer('a token of somebody who was an owner and is a member now', demoted.token, {
      scope: 'write',
      role: 'member',
    }),
    bearer('an unknown token', newSecret('eat').text, 'bad'),
    bearer('an expired token', late.token, 'bad'),
    bearer('a token of a revoked grant', revoked.token, 'bad'),
    bearer(
      'a token for another server',
      (await person('owner', { resource: 'https://other.example/mcp' })).token,
      'bad',
    ),
    bearer(
      'a token for another address of this server',
      (await person('owner', { resource: PUBLIC_URL })).token,
      'bad',
    ),
    bearer('a token of somebody who was removed', removed.token, 'bad'),
    bearer('a token of somebody whose account is gone', gone.token, 'bad'),
    bearer('a refresh token', refresh, 'bad'),
    bearer('a refresh token that calls itself an access token', refresh.replace(/^ert/, 'eat'), 'bad'),
    bearer('a token that is noted as one for refreshing', noted, 'bad'),
    bearer('a token that calls itself one for refreshing', named, 'bad'),
    bearer('an authorization code', code.text, 'bad'),
    bearer('the secret of a session in the header', owner.sessionSecret, 'bad'),
  ]
}

/** A session counts on REST alone, and only for pages of ours. */
async function sessions({ services, db }: World, acme: TestWorkspace, late: Person): Promise<Credential[]> {
  const people = new Map<Role, Person>()
  for (const role of ROLES) people.set(role, await createPerson(services, acme.workspaceId, role))
  const owner = people.get('owner')!.sessionSecret
  const removed = await createPerson(services, acme.workspaceId, 'owner')
  await removeMembership({ db }, { userId: removed.userId })
  const undecided = await createPerson(services, acme.workspaceId, 'owner')
  await changeSessions({ db }, { hash: secretOf(undecided.sessionSecret)!.hash }, { workspaceId: null })
  const cookie = (name: string, secret: string, headers: Record<string, string>, rest: Worth): Credential => ({
    name,
    headers: { cookie: `__Host-earshot_session=${secret}`, ...headers },
    rest,
    tools: 'missing',
  })
  const ours = (secret: string, from: Record<string, string> = { 'sec-fetch-site': 'same-origin' }) => ({
    ...from,
    'x-csrf-token': formTokenFor(secret),
  })
  return [
    ...[...people].map(([role, { sessionSecret }]) =>
      cookie(`a session of a ${role}`, sessionSecret, ours(sessionSecret), { scope: 'write', role }),
    ),
    cookie(
      'a session without the token of the form',
      owner,
      { 'sec-fetch-site': 'same-origin' },
      { scope: 'write', role: 'owner', withoutFormToken: true },
    ),
    cookie('a session with the token of another', owner, ours(late.sessionSecret), {
      scope: 'write',
      role: 'owner',
      withoutFormToken: true,
    }),
    cookie('a session from another site', owner, ours(owner, { 'sec-fetch-site': 'cross-site' }), 'missing'),
    cookie('a session from a neighbouring host', owner, ours(owner, { 'sec-fetch-site': 'same-site' }), 'missing'),
    cookie('a session from an older browser', owner, ours(owner, { origin: PUBLIC_URL }), {
      scope: 'write',
      role: 'owner',
    }),
    {
      ...cookie(
        'a session from another origin',
        owner,
        { ...ours(owner, {}), origin: 'https://evil.example' },
        'missing',
      ),
      tools: 'foreign page',
    },
    cookie('an expired session', late.sessionSecret, ours(late.sessionSecret), 'signed out'),
    cookie('a session of somebody who was removed', removed.sessionSecret, ours(removed.sessionSecret), 'signed out'),
    cookie('a session without a workspace', undecided.sessionSecret, ours(undecided.sessionSecret), 'signed out'),
    cookie('a key in the cookie', acme.writeKey, ours(acme.writeKey), 'missing'),
  ]
}

const ROLES: readonly Role[] = ['member', 'admin', 'owner']

function bearer(name: string, text: string, worth: Worth): Credential {
  return { name, headers: { authorization: `Bearer ${text}` }, rest: worth, tools: worth }
}

function formTokenFor(secret: string): string {
  return createHash('sha256').update(`form ${secret}`).digest('base64url')
}
