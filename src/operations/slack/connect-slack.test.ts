import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createPerson } from '../../../test/people.ts'
import { removeMembership } from '../../../test/rows.ts'
import { createSlackStandIn } from '../../../test/stand-ins/slack.ts'
import { useResource, useWorkspace, useWorld } from '../../../test/use-world.ts'
import { PUBLIC_URL } from '../../../test/world.ts'
import {
  comeBack,
  connect,
  connectUrl,
  load,
  makeSlackChannel,
  tryChannel,
} from '../../commands/channels/slack/slack.suite.ts'
import { MINUTE_MS } from '../../kernel/clock.ts'
import { sql } from '../../store/database.ts'

const stand = useResource(createSlackStandIn)
const world = useWorld(() => ({ slack: stand.slack }))
const acme = useWorkspace(world, 'Acme')

const connection = async (workspace = acme) => (await workspace.api('GET', '/v1/slack')).body

test('leads to Slack with the app, what it asks for, the way back and a state that tells nothing', async () => {
  const url = new URL(await connectUrl(acme))
  expect(url.pathname).toBe('/oauth/v2/authorize')
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: '123.456',
    scope: 'chat:write,channels:read,groups:read',
    redirect_uri: `${PUBLIC_URL}/hooks/slack/oauth`,
    state: expect.stringMatching(/^v1\./),
  })
  expect(url.href).not.toContain(acme.orgId)
})

test('who comes back with leave is connected; the token is stored for nobody to read', async () => {
  await connect(world, stand, acme)
  expect(await connection()).toEqual({
    team: { id: 'T1', name: 'Team T1' },
    scopes: ['chat:write', 'channels:read', 'groups:read'],
    connectedAt: world.clock.now().toISOString(),
    connectedBy: { kind: 'api_key', id: expect.stringMatching(/^key_/), name: 'write' },
    brokenAt: null,
  })
  const [token] = [...stand.tokens.keys()]
  const rows = await world.db.query<{ row: string }>(
    sql`select c::text as row from slack_connection c union all select c::text from channel c`,
  )
  for (const { row } of rows) expect(row).not.toContain(token)
  expect(JSON.stringify(world.logged) + stand.lines.join('')).not.toContain(token)
})

test('a way back is good once, and for ten minutes', async () => {
  const back = stand.allow(await connectUrl(acme))
  expect((await comeBack(world, back)).status).toBe(200)
  const again = await comeBack(world, back)
  expect([again.status, again.text]).toEqual([400, expect.stringContaining('used before')])
  const late = stand.allow(await connectUrl(acme))
  await world.clock.advance(10 * MINUTE_MS)
  expect((await comeBack(world, late)).status).toBe(400)
})

test('of two who come back at once by the same way one is connected', async () => {
  const back = stand.allow(await connectUrl(acme))
  const pages = await Promise.all([comeBack(world, back), comeBack(world, back)])
  expect(pages.map(({ status }) => status).sort()).toEqual([200, 400])
})

test.each([
  ['none', () => ''],
  ['one that was made up', () => 'v1.made-up'],
  ['one that was altered', (state: string) => `${state.slice(0, -2)}AA`],
  ['one that is endless', (state: string) => state.repeat(100)],
])('a state that is %s connects nothing, and Slack is not asked', async (_, altered) => {
  const back = new URL(stand.allow(await connectUrl(acme)), PUBLIC_URL)
  back.searchParams.set('state', altered(back.searchParams.get('state')!))
  const asked = stand.called.length
  expect((await comeBack(world, back.pathname + back.search)).status).toBe(400)
  expect(stand.called.length).toBe(asked)
})

test('who does not allow the app is told so, and the way back is used up', async () => {
  const state = new URL(await connectUrl(acme)).searchParams.get('state')!
  const denied = `/hooks/slack/oauth?${new URLSearchParams({ error: 'access_denied', state })}`
  expect(await load(world, denied)).toMatchObject({ status: 403, text: expect.stringContaining('was not allowed') })
  expect((await load(world, denied)).status).toBe(400)
})

test.each([
  ['a code that is none', { code: 'nonsense' }, null, 403],
  ['a whole organisation', {}, { team: null, is_enterprise_install: true }, 403],
  ['tokens that run out', {}, { refresh_token: 'xoxe-1', expires_in: 43_200 }, 503],
  ['an answer that is none', {}, { access_token: 7 }, 502],
])('%s connects nothing', async (_, change, grant, status) => {
  const other = await world.workspace('Other')
  stand.grant = grant
  const back = new URL(stand.allow(await connectUrl(other)), PUBLIC_URL)
  for (const [name, value] of Object.entries(change)) back.searchParams.set(name, value)
  expect((await comeBack(world, back.pathname + back.search)).status).toBe(status)
  stand.grant = null
  expect((await connection(other)).error.code).toBe('slack_not_connected')
})

test('Slack that cannot be reached is said to be so, with the code of the interface', async () => {
  stand.faults.push({ method: 'oauth.v2.access', status: 503 })
  const page = await comeBack(world, stand.allow(await connectUrl(acme)))
  expect([page.status, page.text]).toEqual([502, expect.stringContaining('Slack refused the request')])
})

test('what a person began in their browser only they can finish, signed in there', async () => {
  const [ann, bob] = [
    await createPerson(world.services, acme.workspaceId, 'member'),
    await createPerson(world.services, acme.workspaceId, 'owner'),
  ]
  const cookie = (secret: string) => ({ cookie: `__Host-earshot_session=${secret}` })
  const token = createHash('sha256').update(`form ${ann.sessionSecret}`).digest('base64url')
  const headers = { ...cookie(ann.sessionSecret), 'sec-fetch-site': 'same-origin', 'x-csrf-token': token }
  const { body } = await acme.api('POST', '/v1/slack/connect', undefined, { key: null, headers })
  const back = stand.allow(body.url)
  expect((await comeBack(world, back)).status).toBe(403)
  expect((await comeBack(world, back, cookie(bob.sessionSecret))).status).toBe(403)
  expect((await comeBack(world, back, cookie(ann.sessionSecret))).status).toBe(200)
  expect((await connection()).connectedBy).toMatchObject({ kind: 'person', name: 'Person who is member' })
})

test('who was sent the way back by somebody else learns for whom it is, and connects nothing by opening it', async () => {
  const stranger = await world.workspace('Mallory & <b>friends</b>')
  const back = stand.allow(await connectUrl(stranger), 'TVICTIM')
  const asked = stand.called.length
  const page = await load(world, back)
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('Mallory &amp; &lt;b&gt;friends&lt;/b&gt;')])
  expect(page.text).toContain('API key <strong>write</strong>')
  // Neither does another site for them, whose form has no token of this browser.
  const { searchParams } = new URL(back, PUBLIC_URL)
  const forged = await fetch(`${world.origin}/hooks/slack/oauth`, {
    method: 'POST',
    body: searchParams,
    headers: { 'sec-fetch-site': 'cross-site' },
  })
  expect((await fetch(`${world.origin}/hooks/slack/oauth`, { method: 'POST', body: searchParams })).status).toBe(403)
  expect([forged.status, stand.called.length]).toEqual([403, asked])
  expect((await connection(stranger)).error.code).toBe('slack_not_connected')
  expect((await comeBack(world, back)).status).toBe(200)
})

test('who has left the workspace meanwhile, and whose key was revoked, connect nothing', async () => {
  const other = await world.workspace('Left')
  const back = stand.allow(await connectUrl(other))
  await world.db.query(
    sql`update api_key set revoked_at = ${world.clock.now()} where workspace_id = ${other.workspaceId}`,
  )
  expect((await comeBack(world, back)).status).toBe(400)
  await world.db.query(sql`update api_key set revoked_at = null where workspace_id = ${other.workspaceId}`)
  const gone = await createPerson(world.services, other.workspaceId, 'member')
  const theirs = stand.allow(await connectUrl(other))
  await world.db.query(
    sql`update slack_journey set asked_by_kind = 'person', asked_by_id = ${gone.userId}
        where workspace_id = ${other.workspaceId}`,
  )
  await removeMembership(world, { userId: gone.userId })
  expect((await comeBack(world, theirs)).status).toBe(400)
})

test('connecting again gives the channels of the team the new token; those of another team fall silent', async () => {
  const other = await world.workspace('Moving')
  await connect(world, stand, other, 'T5')
  const id = await makeSlackChannel(other)
  expect(await tryChannel(other, id)).toBeNull()
  const [first] = stand.posted.slice(-1)
  stand.tokens.delete(first!.token)
  await connect(world, stand, other, 'T5')
  expect(await tryChannel(other, id)).toBeNull()
  expect(stand.posted.at(-1)!.token).not.toBe(first!.token)
  const kept = stand.posted.at(-1)!.token
  await connect(world, stand, other, 'T6')
  expect(await tryChannel(other, id)).toBe('Slack is no longer connected to the workspace')
  // What was connected before is taken back, and nobody is left who speaks with it.
  expect(stand.tokens.has(kept)).toBe(false)
  await connect(world, stand, other, 'T5')
  expect(await tryChannel(other, id)).toBeNull()
})

test('asking for the head of the way back does not use it', async () => {
  const back = stand.allow(await connectUrl(acme))
  expect((await fetch(`${world.origin}${back}`, { method: 'HEAD' })).status).toBe(405)
  expect((await comeBack(world, back)).status).toBe(200)
})

test('without an app nothing is begun, and the way back leads nowhere', async () => {
  const { slack } = world.services
  world.services.slack = null
  const { status, body } = await acme.api('POST', '/v1/slack/connect')
  const page = await load(world, '/hooks/slack/oauth?state=x&code=y')
  world.services.slack = slack
  expect([status, body.error.code, page.status]).toEqual([503, 'slack_not_configured', 503])
})
