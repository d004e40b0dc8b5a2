import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { changeSessions } from '../../../test/rows.ts'
import { useResource } from '../../../test/use-world.ts'
import type { RegisteredClient } from '../../commands/oauth/register-client.ts'
import {
  ACCESS_TOKEN_MS,
  REFRESH_TOKEN_MS,
  REPEAT_MS,
  USED_LIFETIME,
  USED_LIFETIME_MS,
} from '../../domain/oauth/lifetimes.ts'
import { MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import { sql } from '../../store/database.ts'
import { challengeOf, createDanceFloor, exchangeOf, refreshOf, VERIFIER } from './dance.suite.ts'

let client: RegisteredClient
const floor = useResource(createDanceFloor)
beforeAll(async () => {
  client = await floor.client()
})

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
})
const refresh = (token: string, more?: Record<string, string>) =>
  floor.post('/oauth/token', refreshOf(client, token, more))

describe('a code', () => {
  test('gives a pair of tokens that work, as the standard says it', async () => {
    const { status, body, headers } = await floor.tokens(client)
    expect(body).toEqual({
      access_token: expect.stringMatching(/^eat_[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^ert_[\w-]{43}$/),
      scope: 'read write',
    })
    expect([status, headers.get('cache-control'), headers.get('pragma')]).toEqual([200, 'no-store', 'no-cache'])
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    expect(await floor.statusOf(body.access_token)).toBe(200)
    expect(await floor.statusOf(body.refresh_token)).toBe(401)
    await floor.world.clock.advance(ACCESS_TOKEN_MS)
    expect(await floor.statusOf(body.access_token)).toBe(401)
  })

  const wrong: [string, Record<string, string>, string][] = [
    ['the verifier of another request', { code_verifier: 'b'.repeat(43) }, 'invalid_grant'],
    ['the challenge for a verifier', { code_verifier: challengeOf(VERIFIER) }, 'invalid_grant'],
    ['no verifier', { code_verifier: '' }, 'invalid_request'],
    ['a verifier that is too long', { code_verifier: `${VERIFIER}${'a'.repeat(86)}` }, 'invalid_grant'],
    ['another address for answers', { redirect_uri: 'https://client.example/other' }, 'invalid_grant'],
    ['a foreign resource', { resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
    ['no grant type', { grant_type: '' }, 'invalid_request'],
    ['a grant type that nobody knows', { grant_type: 'password' }, 'unsupported_grant_type'],
  ]
  test.each(wrong)('gives nothing with %s, and still works for whom it is for', async (_, more, error) => {
    const code = await floor.code(client)
    const refused = await floor.post('/oauth/token', exchangeOf(client, code, more))
    expect([refused.status, refused.body.error]).toEqual([400, error])
    expect((await floor.post('/oauth/token', exchangeOf(client, code))).status).toBe(200)
  })

  test('gives nothing to another client, and still works for whom it is for', async () => {
    const other = await floor.client()
    const code = await floor.code(client)
    expect((await floor.post('/oauth/token', exchangeOf(other, code))).body.error).toBe('invalid_grant')
    const { body } = await floor.post('/oauth/token', exchangeOf(client, code))
    // Also when it was used: who finds one in a history must not be able to take the tokens away by it.
    expect((await floor.post('/oauth/token', exchangeOf(other, code))).body.error).toBe('invalid_grant')
    expect(await floor.statusOf(body.access_token)).toBe(200)
  })

  test('that was used and comes again from somebody who knows nothing else of it takes nothing from whom it was for', async () => {
    const code = await floor.code(client)
    const { body } = await floor.post('/oauth/token', exchangeOf(client, code))
    for (const more of [
      { code_verifier: 'b'.repeat(43) },
      { redirect_uri: 'https://evil.example/' },
      { code_verifier: 'b'.repeat(43), redirect_uri: '' },
    ])
      expect((await floor.post('/oauth/token', exchangeOf(client, code, more))).body.error).toBe('invalid_grant')
    expect(await floor.statusOf(body.access_token)).toBe(200)
    expect((await refresh(body.refresh_token)).status).toBe(200)
  })

  test('needs no address for answers beside its verifier', async () => {
    expect(
      (await floor.post('/oauth/token', exchangeOf(client, await floor.code(client), { redirect_uri: '' }))).status,
    ).toBe(200)
  })

  test('that was put into the hands of a client for the request of somebody else gives nothing', async () => {
    const stolen = await floor.code(client, { code_challenge: challengeOf('v'.repeat(43)) })
    expect((await floor.post('/oauth/token', exchangeOf(client, stolen))).body.error).toBe('invalid_grant')
  })

  test('that comes a second time ends everything that came of it', async () => {
    const code = await floor.code(client)
    const first = await floor.post('/oauth/token', exchangeOf(client, code))
    const second = await refresh(first.body.refresh_token)
    expect((await floor.post('/oauth/token', exchangeOf(client, code))).body.error).toBe('invalid_grant')
    for (const { body } of [first, second]) expect(await floor.statusOf(body.access_token)).toBe(401)
    expect((await refresh(second.body.refresh_token)).body.error).toBe('invalid_grant')
  })

  test('that comes many times at once wins once, and then nothing is left of it', async () => {
    const code = await floor.code(client)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => floor.post('/oauth/token', exchangeOf(client, code))),
    )
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    expect(await floor.statusOf(won[0]!.body.access_token)).toBe(401)
  })
})

describe('a refresh token', () => {
  test('gives a new pair, and the old access token works on until its time is over', async () => {
    const first = (await floor.tokens(client)).body
    const { status, body } = await refresh(first.refresh_token)
    expect([status, body.scope]).toEqual([200, 'read write'])
    expect(new Set([first.access_token, first.refresh_token, body.access_token, body.refresh_token]).size).toBe(4)
    for (const { access_token } of [first, body]) expect(await floor.statusOf(access_token)).toBe(200)
  })

  test('lives for thirty days from when it was issued, each for itself', async () => {
    const first = (await floor.tokens(client)).body
    await floor.world.clock.advance(REFRESH_TOKEN_MS - 1)
    const { body: second } = await refresh(first.refresh_token)
    await floor.world.clock.advance(REFRESH_TOKEN_MS)
    expect((await refresh(second.refresh_token)).body.error).toBe('invalid_grant')
    await changeSessions(floor.world, {}, { expiresAt: new Date('2100-01-01') })
  })

  test('that comes a second time ends all tokens of its grant', async () => {
    const first = (await floor.tokens(client)).body
    const second = (await refresh(first.refresh_token)).body
    const third = (await refresh(second.refresh_token)).body
    const other = (await floor.tokens(client)).body
    expect((await refresh(first.refresh_token)).body.error).toBe('invalid_grant')
    for (const { access_token } of [first, second, third]) expect(await floor.statusOf(access_token)).toBe(401)
    expect((await refresh(third.refresh_token)).body.error).toBe('invalid_grant')
    expect(await floor.statusOf(other.access_token)).toBe(200)
  })

  test('that comes many times at once, as from two processes of one program, wins once, and that one goes on', async () => {
    const first = (await floor.tokens(client)).body
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(first.refresh_token)))
    const won = answers.filter(({ status }) => status === 200)
    expect([won.length, ...answers.filter((answer) => answer !== won[0]).map(({ body }) => body.error)]).toEqual([
      1,
      ...Array(7).fill('invalid_grant'),
    ])
    expect(await floor.statusOf(won[0]!.body.access_token)).toBe(200)
    expect((await refresh(won[0]!.body.refresh_token)).status).toBe(200)
  })

  test('that is repeated because its answer was lost ends nothing for half a minute, and everything after that', async () => {
    const first = (await floor.tokens(client)).body
    const second = (await refresh(first.refresh_token)).body
    await floor.world.clock.advance(REPEAT_MS - 1)
    expect((await refresh(first.refresh_token)).body.error).toBe('invalid_grant')
    expect(await floor.statusOf(second.access_token)).toBe(200)
    await floor.world.clock.advance(1)
    expect((await refresh(first.refresh_token)).body.error).toBe('invalid_grant')
    expect(await floor.statusOf(second.access_token)).toBe(401)
    expect((await refresh(second.refresh_token)).body.error).toBe('invalid_grant')
  })

  test('that is repeated once somebody has gone on with the next one ends everything at once', async () => {
    const first = (await floor.tokens(client)).body
    const second = (await refresh(first.refresh_token)).body
    const third = (await refresh(second.refresh_token)).body
    expect((await refresh(first.refresh_token)).body.error).toBe('invalid_grant')
    expect(await floor.statusOf(third.access_token)).toBe(401)
  })

  test('is known again for a day, and the newest fifty for longer; an older one is unknown, and a grant does not grow with its age', async () => {
    const used: string[] = []
    let { refresh_token: next } = (await floor.tokens(client)).body
    const goOn = async () => {
      used.push(next)
      next = (await refresh(next)).body.refresh_token
    }
    for (let at = 0; at < USED_LIFETIME + 10; at += 1) {
      await floor.world.clock.advance(SECOND_MS)
      await goOn()
    }
    const known = async () =>
      (
        await floor.world.db.query(
          sql`select 1 from oauth_token where used_at is not null and grant_id = (select max(id::text)::uuid
              from oauth_grant)`,
        )
      ).length
    expect(await known()).toBe(USED_LIFETIME + 10)
    await floor.world.clock.advance(USED_LIFETIME_MS)
    await goOn()
    expect(await known()).toBe(USED_LIFETIME)
    expect((await refresh(used[0]!)).body.error).toBe('invalid_grant')
    await goOn()
    expect((await refresh(used[20]!)).body.error).toBe('invalid_grant')
    expect((await refresh(next)).body.error).toBe('invalid_grant')
  })

  test('may give an access token that can do less, and keeps what it stands for itself', async () => {
    const first = (await floor.tokens(client)).body
    const narrow = await refresh(first.refresh_token, { scope: 'read' })
    expect(narrow.body.scope).toBe('read')
    expect((await refresh(narrow.body.refresh_token)).body.scope).toBe('read write')
  })

  test('never gives more than was granted, whatever is asked for', async () => {
    let { refresh_token: next } = (await floor.tokens(client, { scope: 'read' })).body
    for (const scope of ['read write', 'write', 'everything', 'openid']) {
      const { status, body } = await refresh(next, { scope })
      expect([status, body.scope]).toEqual([200, 'read'])
      expect((await floor.world.api('POST', '/v1/groups', { name: 'x' }, { key: body.access_token })).status).toBe(403)
      next = body.refresh_token
    }
  })

  test('is not used up by a wish that cannot be read, and without one of ours gives all that it stands for', async () => {
    const first = (await floor.tokens(client)).body
    expect((await refresh(first.refresh_token, { scope: 'read  write' })).body.error).toBe('invalid_scope')
    expect((await refresh(first.refresh_token, { scope: 'openid' })).body.scope).toBe('read write')
  })

  test('gives nothing to another client, nor in the place of another secret', async () => {
    const other = await floor.client()
    const { refresh_token, access_token } = (await floor.tokens(client)).body
    expect((await floor.post('/oauth/token', refreshOf(other, refresh_token))).body.error).toBe('invalid_grant')
    for (const text of [access_token, 'ert_', `ert_${'A'.repeat(43)}`, "ert_' or 1=1 --", '\u0000'])
      expect((await refresh(text)).body.error).toBe('invalid_grant')
    expect((await refresh(refresh_token)).status).toBe(200)
  })

  test('gives nothing when the installation goes by another address than its tokens', async () => {
    const { refresh_token } = (await floor.tokens(client)).body
    await floor.world.db.query(
      sql`update oauth_grant set resource = 'https://former.example/mcp' where client_id = ${client.id}`,
    )
    expect((await refresh(refresh_token)).body.error).toBe('invalid_grant')
    await floor.world.db.query(
      sql`update oauth_grant set resource = 'https://earshot.test/mcp' where client_id = ${client.id}`,
    )
  })
})

describe('a client with a secret', () => {
  let keeper: RegisteredClient
  beforeAll(async () => {
    keeper = await floor.client({ authMethod: 'client_secret_basic' })
  })
  const without = (fields: Record<string, string>, name: string) =>
    Object.fromEntries(Object.entries(fields).filter(([text]) => text !== name))

  test('shows it in the header or in the form', async () => {
    const inHeader = await floor.post(
      '/oauth/token',
      without(exchangeOf(keeper, await floor.code(keeper)), 'client_id'),
      basic(keeper.id, keeper.secret!),
    )
    expect(inHeader.status).toBe(200)
    const inForm = await floor.post(
      '/oauth/token',
      exchangeOf(keeper, await floor.code(keeper), { client_secret: keeper.secret! }),
    )
    expect(inForm.status).toBe(200)
  })

  test.each<[string, () => [Record<string, string>, Record<string, string>], number, string]>([
    ['no secret', () => [{ client_id: keeper.id }, {}], 401, 'invalid_client'],
    [
      'a wrong secret',
      () => [{ client_id: keeper.id, client_secret: `ecs_${'A'.repeat(43)}` }, {}],
      401,
      'invalid_client',
    ],
    ['a secret of no form', () => [{ client_id: keeper.id, client_secret: 'x' }, {}], 401, 'invalid_client'],
    ['a wrong secret in the header', () => [{}, basic(keeper.id, 'x')], 401, 'invalid_client'],
    ['a header of another kind', () => [{}, { authorization: 'Bearer x' }], 401, 'invalid_client'],
    ['a header that is no base64', () => [{}, { authorization: 'Basic ???' }], 401, 'invalid_client'],
    [
      'a header with half an escape',
      () => [{}, { authorization: `Basic ${Buffer.from('%zz:x').toString('base64')}` }],
      401,
      'invalid_client',
    ],
    [
      'its secret in two ways',
      () => [{ client_secret: keeper.secret! }, basic(keeper.id, keeper.secret!)],
      400,
      'invalid_request',
    ],
    ['two names', () => [{ client_id: client.id }, basic(keeper.id, keeper.secret!)], 400, 'invalid_request'],
    [
      'the secret of another client',
      () => [{ client_id: client.id, client_secret: keeper.secret! }, {}],
      401,
      'invalid_client',
    ],
    ['no name', () => [{}, {}], 401, 'invalid_client'],
    ['a name that nobody has', () => [{ client_id: 'nobody' }, {}], 401, 'invalid_client'],
  ])('gets nothing with %s', async (_, given, status, error) => {
    const [fields, headers] = given()
    const code = await floor.code(keeper)
    const refused = await floor.post(
      '/oauth/token',
      { ...without(exchangeOf(keeper, code), 'client_id'), ...fields },
      headers,
    )
    expect([refused.status, refused.body.error]).toEqual([status, error])
    expect(refused.headers.has('www-authenticate')).toBe(status === 401 && 'authorization' in headers)
  })
})

test('a client without a secret may send the header with an empty one', async () => {
  const { refresh_token } = (await floor.tokens(client)).body
  const header = { authorization: `Basic ${Buffer.from(`${client.id}:`).toString('base64')}` }
  expect((await floor.post('/oauth/token', { grant_type: 'refresh_token', refresh_token }, header)).status).toBe(200)
  const secret = { authorization: `Basic ${Buffer.from(`${client.id}:x`).toString('base64')}` }
  expect((await floor.post('/oauth/token', { grant_type: 'refresh_token', refresh_token }, secret)).body.error).toBe(
    'invalid_client',
  )
})

test('sixty requests a minute are answered to one client at one address', async () => {
  await floor.world.clock.advance(MINUTE_MS)
  const [eager, calm] = [await floor.client(), await floor.client()]
  const ask = (client: RegisteredClient) => floor.post('/oauth/token', refreshOf(client, 'x'))
  for (let at = 0; at < 60; at += 1) expect((await ask(eager)).status).toBe(400)
  const refused = await ask(eager)
  expect([refused.status, refused.body.error, Number(refused.headers.get('retry-after')) > 0]).toEqual([
    429,
    'rate_limited',
    true,
  ])
  expect((await ask(calm)).status).toBe(400)
  await floor.world.clock.advance(MINUTE_MS)
  expect((await ask(eager)).status).toBe(400)
})

describe('a request that cannot be read', () => {
  test('for a character in the id that no id has is one of a client that nobody knows', async () => {
    for (const id of ['\u0000', 'a\u0000', 'clïent', '\u007f']) {
      for (const path of ['/oauth/token', '/oauth/revoke']) {
        const { status, body } = await floor.post(path, {
          grant_type: 'refresh_token',
          client_id: id,
          refresh_token: 'x',
          token: 'x',
        })
        expect([status, body.error]).toEqual([401, 'invalid_client'])
      }
    }
  })

  test('with a parameter twice', async () => {
    const code = await floor.code(client)
    const { status, body } = await floor.post('/oauth/token', [
      ...Object.entries(exchangeOf(client, code)),
      ['code', code],
    ])
    expect([status, body.error]).toEqual([400, 'invalid_request'])
  })

  test('as JSON, too large, or empty is answered in the words of OAuth', async () => {
    const json = await floor.post('/oauth/token', {}, { 'content-type': 'application/json' })
    expect([json.status, json.body.error]).toEqual([400, 'invalid_request'])
    const large = await floor.post('/oauth/token', { grant_type: 'x'.repeat(17 * 1024) })
    expect([large.status, large.body.error]).toEqual([413, 'invalid_request'])
    const empty = await floor.post('/oauth/token', {})
    expect([empty.status, empty.body.error]).toEqual([400, 'invalid_request'])
  })
})

test('no secret stands in the log or in the database', async () => {
  const keeper = await floor.client({ authMethod: 'client_secret_post' })
  const code = await floor.code(keeper)
  const { body } = await floor.post('/oauth/token', exchangeOf(keeper, code, { client_secret: keeper.secret! }))
  const rows = JSON.stringify(
    await floor.world.db.query(sql`
      select (select json_agg(t) from oauth_token t) as a, (select json_agg(c)
        from oauth_code c) as b, (select json_agg(c) from oauth_client c) as c`),
  )
  for (const secret of [code, keeper.secret!, body.access_token, body.refresh_token]) {
    expect(rows).not.toContain(secret)
    expect(JSON.stringify(floor.world.logged)).not.toContain(secret)
  }
})

/** What a client can do with what it holds: show a code or a refresh token of the past again, or give a token back. */
type Step = { do: 'code' } | { do: 'refresh' | 'revoke' | 'revoke_access'; which: number }
const steps = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: fc.constant<Step>({ do: 'code' }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('refresh' as const), which: fc.nat({ max: 3 }) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constantFrom('revoke' as const, 'revoke_access' as const),
        which: fc.nat({ max: 3 }),
      }),
    },
  ),
  { minLength: 1, maxLength: 8 },
)

test('whatever order they come in, a grant has at most one refresh token that works, and none after anything but the latest came twice or was given back', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const code = await floor.code(client)
      const pairs: { access_token: string; refresh_token: string }[] = []
      let alive = true
      for (const step of taken) {
        if (step.do === 'code') {
          const { status, body } = await floor.post('/oauth/token', exchangeOf(client, code))
          const expected = pairs.length === 0
          expect(status).toBe(expected ? 200 : 400)
          if (expected) pairs.push(body)
          else alive = false
        } else {
          // 0 is the newest pair.
          const at = pairs.length - 1 - step.which
          if (at < 0) continue
          const { access_token, refresh_token } = pairs[at]!
          if (step.do === 'refresh') {
            const { status, body } = await refresh(refresh_token)
            const expected = alive && step.which === 0
            expect(status).toBe(expected ? 200 : 400)
            // The one before the newest, at once, may be a repeat: it gets nothing and takes nothing.
            if (expected) pairs.push(body)
            else if (step.which !== 1) alive = false
          } else {
            const token = step.do === 'revoke' ? refresh_token : access_token
            expect((await floor.post('/oauth/revoke', { client_id: client.id, token })).status).toBe(200)
            alive = false
          }
        }
        for (const { access_token } of pairs) expect(await floor.statusOf(access_token)).toBe(alive ? 200 : 401)
        const [{ live }] = (await floor.world.db.query(sql`
          select count(*)::int as live from oauth_token t join oauth_grant g on g.workspace_id = t.workspace_id
            and g.id = t.grant_id
           where g.id = (select max(id::text)::uuid from oauth_grant) and t.kind = 'refresh' and t.used_at is null
             and g.revoked_at is null`)) as [{ live: number }]
        expect(live).toBe(alive && pairs.length > 0 ? 1 : 0)
      }
    }),
    { numRuns: 25 },
  )
})
