import { afterEach, describe, expect, test } from 'vitest'
import { openRaw, type RawAnswer, type RawConnection } from '../../../test/raw.ts'
import { until } from '../../../test/until.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { createWorld, type TestWorkspace } from '../../../test/world.ts'
import { MINUTE_MS } from '../../kernel/clock.ts'
import { silentLog } from '../../kernel/log.ts'
import { openDatabase } from '../../store/database.ts'
import { BODY_LIMIT, BODY_MS } from '../http/body.ts'
import { securityHeaders } from '../http/headers.ts'
import { closeRestServer } from './closing.ts'
import { createRestServer } from './server.ts'

const open: RawConnection[] = []
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
afterEach(() => {
  for (const connection of open.splice(0)) connection.destroy()
})

async function raw(): Promise<RawConnection> {
  const connection = await openRaw(world.port)
  open.push(connection)
  return connection
}

/** The head of a POST that is allowed and would make a group. */
function post(...headers: string[]): string {
  return [
    'POST /v1/groups HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${acme.writeKey}`,
    ...headers,
    '',
    '',
  ].join('\r\n')
}

/** Every error has the envelope, carries its id twice and is JSON. */
function errorOf({ status, headers, body }: RawAnswer): {
  status: number
  code: string
  message: string
  retryAfterSeconds?: number
} {
  const { error } = JSON.parse(body) as {
    error: { code: string; message: string; requestId: string; retryAfterSeconds?: number }
  }
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(headers.get('x-request-id')).toBe(error.requestId)
  expect(headers.get('retry-after')).toBe(
    error.retryAfterSeconds === undefined ? undefined : String(error.retryAfterSeconds),
  )
  return { status, ...error }
}

describe('a body', () => {
  test('that drips is given up five seconds after it began, and the answer arrives', async () => {
    const before = world.clock.waits
    const connection = await raw()
    connection.write(post('Content-Type: application/json', 'Content-Length: 100'))
    await until(() => world.clock.waits > before)
    for (let drop = 0; drop < 4; drop += 1) {
      connection.write(' ')
      await world.clock.advance(BODY_MS / 5)
    }
    connection.write(' ')
    await world.clock.advance(BODY_MS / 5)
    const answer = await connection.answer()
    expect(errorOf(answer)).toMatchObject({ status: 408, code: 'request_timeout', retryAfterSeconds: 5 })
    expect(answer.headers.get('connection')).toBe('close')
    await connection.closed
  })

  test.each([
    [
      'declared',
      (size: number) => [post('Content-Type: application/json', `Content-Length: ${size}`), 'x'.repeat(size)],
    ],
    [
      'chunked',
      (size: number) => [
        post('Content-Type: application/json', 'Transfer-Encoding: chunked'),
        `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n0\r\n\r\n`,
      ],
    ],
  ])('that is %s and far too large is refused, the answer arrives, and the connection goes on', async (_, request) => {
    const connection = await raw()
    for (const part of request(40 * BODY_LIMIT)) connection.write(part)
    expect(errorOf(await connection.answer())).toMatchObject({ status: 413, code: 'payload_too_large' })
    connection.write('GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n')
    expect((await connection.answer()).status).toBe(200)
  })

  test('of exactly the limit is read, and one byte more is not', async () => {
    const body = (size: number) => JSON.stringify({ name: '' }).replace('""', `"${'x'.repeat(size - 11)}"`)
    const send = async (size: number) => {
      const connection = await raw()
      connection.write(post('Content-Type: application/json', `Content-Length: ${size}`) + body(size))
      return errorOf(await connection.answer()).code
    }
    expect(body(BODY_LIMIT).length).toBe(BODY_LIMIT)
    expect(await send(BODY_LIMIT)).toBe('validation_error')
    expect(await send(BODY_LIMIT + 1)).toBe('payload_too_large')
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'nonsense',
    'application/merge-patch+json',
  ])('sent as %s is refused', async (type) => {
    const { status, body } = await acme.api('POST', '/v1/groups', undefined, { headers: { 'content-type': type } })
    expect([status, body.error.code]).toEqual([415, 'unsupported_media_type'])
    const connection = await raw()
    connection.write(`${post(`Content-Type: ${type}`, 'Content-Length: 15')}{"name": "Text"}`.slice(0, -1))
    expect(errorOf(await connection.answer())).toMatchObject({ status: 415, code: 'unsupported_media_type' })
  })

  test('without a type is refused', async () => {
    const connection = await raw()
    connection.write(`${post('Content-Length: 2')}{}`)
    expect(errorOf(await connection.answer())).toMatchObject({ status: 415, code: 'unsupported_media_type' })
  })

  test('as JSON with a charset is read', async () => {
    const connection = await raw()
    connection.write(`${post('Content-Type: application/json; charset=utf-8', 'Content-Length: 2')}{}`)
    expect(errorOf(await connection.answer())).toMatchObject({ status: 400, message: 'name: is required' })
  })

  test.each([
    ['Content-Type: application/json; charset=utf-16', 'The body must be sent in UTF-8.'],
    ['Content-Type: application/json; charset="iso-8859-1"', 'The body must be sent in UTF-8.'],
    ['Content-Type: application/json\r\nContent-Encoding: gzip', 'The body must be sent without a content encoding.'],
    [
      'Content-Type: application/json\r\nContent-Encoding: identity, br',
      'The body must be sent without a content encoding.',
    ],
  ])('with %j is refused, and the connection goes on', async (header, message) => {
    const connection = await raw()
    connection.write(`${post(header, 'Content-Length: 2')}{}`)
    expect(errorOf(await connection.answer())).toMatchObject({ status: 415, code: 'unsupported_media_type', message })
    connection.write(
      `${post('Content-Type: application/json; charset="UTF-8"', 'Content-Encoding: Identity', 'Content-Length: 2')}{}`,
    )
    expect(errorOf(await connection.answer())).toMatchObject({ status: 400, message: 'name: is required' })
  })

  test.each([
    ['no JSON', Buffer.from('{"name": '), 'body: is not valid JSON'],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'body: is not valid UTF-8'],
    [
      'a poisoned prototype',
      Buffer.from('{"__proto__": {"name": "x"}}'),
      '__proto__: is not a field of this operation',
    ],
    [
      'a poisoned constructor',
      Buffer.from('{"name": "x", "constructor": {"prototype": {"isDefault": true}}}'),
      'constructor: is not a field of this operation',
    ],
    [
      'poisoned and escaped',
      Buffer.from('{"name": "x", "\\u005f_proto__": null}'),
      '__proto__: is not a field of this operation',
    ],
    ['a field without a name', Buffer.from('{"name": "x", "": 1}'), 'body: has a field without a name'],
    ['empty', Buffer.alloc(0), 'body: is required'],
    ['null', Buffer.from('null'), 'body: must be an object'],
    ['an abyss', Buffer.from('['.repeat(100_000)), 'body: is not valid JSON'],
    ['a deep list', Buffer.from('['.repeat(60_000) + ']'.repeat(60_000)), 'body: must be an object'],
  ])('that is %s is refused', async (_, bytes, message) => {
    const connection = await raw()
    connection.write(post('Content-Type: application/json', `Content-Length: ${bytes.length}`))
    connection.write(bytes)
    expect(errorOf(await connection.answer())).toMatchObject({ status: 400, code: 'validation_error', message })
  })

  test('that breaks off does no harm', async () => {
    const connection = await raw()
    const lines = world.logged.length
    connection.write(`${post('Content-Type: application/json', 'Content-Length: 100')}{`)
    await until(() => world.clock.waits > 0)
    connection.destroy()
    expect((await acme.api('GET', '/v1/whoami')).status).toBe(200)
    expect(world.logged.slice(lines).filter(({ level }) => level === 'error')).toEqual([])
  })

  test('is not read for a caller who may not send it', async () => {
    const connection = await raw()
    connection.write(
      'POST /v1/groups HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n',
    )
    expect(errorOf(await connection.answer())).toMatchObject({ status: 401, code: 'unauthorized' })
  })

  test('is not missed by an operation that takes none', async () => {
    const id = await acme.group('Doomed')
    expect((await acme.api('DELETE', `/v1/groups/${id}`, { force: true })).body.error.message).toBe(
      'force: is not a field of this operation',
    )
    expect((await acme.api('DELETE', `/v1/groups/${id}`, {})).status).toBe(204)
  })
})

describe('what is not proper HTTP', () => {
  test.each([
    ['a request line that is none', 'NONSENSE\r\n\r\n', 400],
    ['an unknown method', 'FETCH /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
    ['a header that is none', 'GET /v1/health HTTP/1.1\r\nHost: localhost\r\nno colon\r\n\r\n', 400],
    [
      'two lengths',
      'POST /v1/groups HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
    ],
    [
      'length and chunks',
      'POST /v1/groups HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
    ['a host that is none', 'GET /v1/health HTTP/1.1\r\nHost: a b/c\r\n\r\n', 400],
    ['no host in HTTP/1.1', 'GET /v1/health HTTP/1.1\r\n\r\n', 400],
    ['two hosts', 'GET /v1/health HTTP/1.1\r\nHost: localhost\r\nhost: localhost\r\n\r\n', 400],
  ])('%s is answered with the envelope', async (_, request, status) => {
    const connection = await raw()
    connection.write(request)
    const answer = await connection.answer()
    expect(errorOf(answer)).toMatchObject({ status, code: 'validation_error' })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  })

  test.each([
    ['GET /v1/', 20_000, 0, 'The address of the request may have at most 16 KiB.'],
    ['GET /v1/', 0, 20_000, 'The headers of the request may have at most 16 KiB.'],
    ['GET /v1/', 10_000, 10_000, 'The head of the request may have at most 16 KiB.'],
  ])('%s with %i characters more and headers of %i is too large', async (start, address, headers, message) => {
    const connection = await raw()
    connection.write(
      `${start}${'x'.repeat(address)} HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(headers)}\r\n\r\n`,
    )
    const answer = await connection.answer()
    expect(errorOf(answer)).toMatchObject({ status: 431, code: 'headers_too_large', message })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    await connection.closed
  })

  test('two hosts are told as such', async () => {
    const connection = await raw()
    connection.write('GET /v1/health HTTP/1.1\r\nHost: localhost\r\nHost: elsewhere\r\n\r\n')
    expect(errorOf(await connection.answer()).message).toBe('Host: must be given once')
  })

  test('a tunnel is answered with the envelope, and the connection ends', async () => {
    const connection = await raw()
    connection.write('CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: elsewhere.example:443\r\n\r\n')
    expect(errorOf(await connection.answer())).toMatchObject({ status: 404, code: 'not_found' })
    await connection.closed
  })

  test('a whole address as target is the same route', async () => {
    const connection = await raw()
    connection.write('GET http://localhost/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n')
    const { status, headers } = await connection.answer()
    expect([status, headers.get('access-control-allow-origin'), headers.get('cache-control')]).toEqual([
      200,
      '*',
      'no-store',
    ])
  })

  test('broken chunks of a body are answered with the envelope', async () => {
    const connection = await raw()
    connection.write(`${post('Content-Type: application/json', 'Transfer-Encoding: chunked')}zz\r\n`)
    expect(errorOf(await connection.answer())).toMatchObject({ status: 400, code: 'validation_error' })
  })

  test('the old protocol knows no hosts', async () => {
    const connection = await raw()
    connection.write('GET /v1/health HTTP/1.0\r\n\r\n')
    expect((await connection.answer()).status).toBe(200)
  })

  test('an expectation nobody knows does not matter', async () => {
    const connection = await raw()
    connection.write('GET /v1/health HTTP/1.1\r\nHost: localhost\r\nExpect: wonders\r\n\r\n')
    expect((await connection.answer()).status).toBe(200)
  })
})

describe('routes', () => {
  test.each([
    ['GET', '/v1'],
    ['GET', '/v1/nonsense'],
    ['GET', '/v1/groups/'],
    ['GET', '/nonsense'],
    ['GET', '/v1/%zz'],
    ['GET', `/v1/groups/${'x'.repeat(5000)}`],
  ])('%s %s is not found', async (method, path) => {
    const { status, body, headers } = await acme.api(method, path)
    expect([status, body.error.code]).toEqual([404, 'not_found'])
    expect(headers.get('x-request-id')).toBe(body.error.requestId)
  })

  test('an unknown route is unknown whatever is sent to it', async () => {
    const connection = await raw()
    connection.write(
      'POST /v1/nonsense HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nhi',
    )
    expect(errorOf(await connection.answer())).toMatchObject({ status: 404, code: 'not_found' })
  })

  test.each([
    ['?=x', 'query: has a parameter without a name'],
    ['?__proto__=x', '__proto__: is not a parameter of this operation'],
    ['?constructor=x', 'constructor: is not a parameter of this operation'],
  ])('the parameters %s are refused in words that can be read', async (query, message) => {
    const { status, body } = await acme.api('GET', `/v1/groups${query}`)
    expect([status, body.error.message]).toEqual([400, message])
  })

  test('an unknown parameter is named', async () => {
    const { status, body } = await acme.api('GET', '/v1/groups?nonsense=1')
    expect([status, body.error.code, body.error.message]).toEqual([
      400,
      'validation_error',
      'nonsense: is not a parameter of this operation',
    ])
  })
})

describe('headers', () => {
  test.each(['abc-DEF_123', 'x'.repeat(64)])("the caller's request id %s is kept", async (id) => {
    const { headers } = await acme.api('GET', '/v1/whoami', undefined, { headers: { 'x-request-id': id } })
    expect(headers.get('x-request-id')).toBe(id)
  })

  test.each(['x'.repeat(65), 'a b', 'a"b', '<x>'])('the request id %s is replaced', async (id) => {
    const { headers } = await acme.api('GET', '/v1/whoami', undefined, { headers: { 'x-request-id': id } })
    expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/)
  })

  test('any origin may call, and nobody with cookies', async () => {
    for (const path of ['/v1/whoami', '/v1/health', '/v1/nonsense']) {
      const { headers } = await acme.api('GET', path, undefined, { headers: { origin: 'https://elsewhere.example' } })
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-allow-credentials')).toBeNull()
      expect(headers.get('access-control-expose-headers')).toContain('X-Request-Id')
    }
  })

  test('a preflight is answered without a credential', async () => {
    const { status, headers } = await world.api('OPTIONS', '/v1/groups/anything', undefined, {
      headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'PATCH' },
    })
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-methods')).toContain('PATCH')
    expect(headers.get('access-control-allow-headers')).toContain('Authorization')
  })

  test('answers say that they are not to be sniffed, framed or kept', async () => {
    const { headers } = await acme.api('GET', '/v1/whoami')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('cache-control')).toBe('no-store')
  })
})

describe('the limit of a workspace', () => {
  test('lets 600 requests through in a minute, refusals included, and tells when to come back', async () => {
    const busy = await world.workspace('Busy')
    await world.clock.advance(MINUTE_MS - (world.clock.now().getTime() % MINUTE_MS))
    const reset = String(world.clock.now().getTime() / 1000 + 60)
    const first = await busy.api('GET', '/v1/whoami')
    expect([
      first.headers.get('x-ratelimit-limit'),
      first.headers.get('x-ratelimit-remaining'),
      first.headers.get('x-ratelimit-reset'),
    ]).toEqual(['600', '599', reset])
    const refused = await busy.api('POST', '/v1/groups', {}, { key: busy.readKey })
    expect([refused.status, refused.headers.get('x-ratelimit-remaining')]).toEqual([403, '598'])
    for (let sent = 2; sent < 600; sent += 100)
      await Promise.all(Array.from({ length: Math.min(100, 600 - sent) }, () => busy.api('GET', '/v1/whoami')))

    await world.clock.advance(20_000)
    const { status, headers, body } = await busy.api('GET', '/v1/whoami')
    expect([status, body.error.code, body.error.retryAfterSeconds]).toEqual([429, 'rate_limited', 40])
    expect([headers.get('retry-after'), headers.get('x-ratelimit-remaining')]).toEqual(['40', '0'])
    expect((await acme.api('GET', '/v1/whoami')).status).toBe(200)
    await world.clock.advance(40_000)
    expect((await busy.api('GET', '/v1/whoami')).status).toBe(200)
  })
})

describe('the log', () => {
  test('has one line a request, by which it can be found', async () => {
    const lines = world.logged.length
    const { headers } = await acme.api('GET', '/v1/groups/nonsense?x=secret')
    await until(() => world.logged.length > lines)
    expect(world.logged.slice(lines)).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        event: 'request.finished',
        msg: 'Request',
        method: 'GET',
        operation: 'get-group',
        route: '/v1/groups/:id',
        status: 404,
        ms: expect.any(Number),
        bytes: Number(headers.get('content-length')),
        requestId: headers.get('x-request-id'),
        workspaceId: acme.orgId,
        callerId: expect.stringMatching(/^key_/),
        code: 'not_found',
      },
    ])
  })
})

describe('pages', () => {
  test('the landing page leads to the documents and lets nothing run', async () => {
    const { status, headers, body } = await world.api('GET', '/')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
    for (const link of ['/guide', '/docs/', '/v1/openapi.json', '/v1/health']) {
      expect(body).toContain(`href="${link}"`)
      expect((await world.api('GET', link)).status).toBe(200)
    }
  })

  test.each(['/', '/guide', '/docs/', '/v1/health', '/v1/groups', '/nowhere', '/sign-in'])(
    'of an https installation %s says that it is never to be asked otherwise',
    async (path) => {
      expect((await world.api('GET', path)).headers.get('strict-transport-security')).toBe('max-age=31536000')
      expect(securityHeaders('http://localhost:4400')).not.toHaveProperty('Strict-Transport-Security')
    },
  )

  test('the reference is served from here and may call nobody else', async () => {
    const page = await world.api('GET', '/docs/')
    const policy = page.headers.get('content-security-policy')!
    expect(policy).toContain("connect-src 'self'")
    // In an origin of its own its scripts have neither the session nor the storage of this one.
    const sandbox = policy.split(';')[0]!.split(' ')
    expect([sandbox[0], sandbox.includes('allow-scripts'), sandbox.includes('allow-same-origin')]).toEqual([
      'sandbox',
      true,
      false,
    ])
    expect(page.headers.has('cross-origin-opener-policy')).toBe(false)
    // As such a page it asks for the description without cookies, from nowhere.
    const described = await world.api('GET', '/v1/openapi.json', undefined, { headers: { origin: 'null' } })
    expect([described.status, described.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    const sources = [...String(page.body).matchAll(/<(?:script|link)[^>]+(?:src|href)="([^"]+)"/g)].map(
      ([, source]) => source!,
    )
    expect(sources).toEqual(['js/storage.js', 'js/scalar.js', 'js/begin.js'])
    for (const source of sources) {
      const { status, headers } = await world.api('GET', `/docs/${source}`)
      expect([source, status, headers.get('content-type')]).toEqual([
        source,
        200,
        'application/javascript; charset=utf-8',
      ])
    }
    expect((await world.api('GET', '/docs/js/begin.js')).body).toContain('"url":"/v1/openapi.json"')
    // No code stands in the page, so the policy lets none run there.
    expect([policy.includes("script-src 'self';"), /<script(?![^>]*src=)/.test(String(page.body))]).toEqual([
      true,
      false,
    ])
  })
})

describe('trouble inside', () => {
  test('a database that cannot be reached is answered as such', async () => {
    const db = openDatabase({ connection: 'postgres://nobody@127.0.0.1:1/nothing', log: silentLog })
    const server = createRestServer({ services: { ...world.services, db }, log: silentLog })
    const answer = await server.inject({
      method: 'GET',
      url: '/v1/groups',
      headers: { authorization: `Bearer ${acme.writeKey}` },
    })
    expect([
      answer.statusCode,
      answer.json().error.code,
      answer.json().error.retryAfterSeconds,
      answer.headers['retry-after'],
    ]).toEqual([503, 'database_unavailable', 5, '5'])
    expect((await server.inject('/v1/health')).statusCode).toBe(200)
    await server.close()
    await db.close()
  })

  test('a database that needs its operator is answered as such, and not to be asked again', async () => {
    const late = await createWorld()
    try {
      const workspace = await late.workspace('Late')
      await late.admin('alter table keyword rename column muted to mooted')
      const { status, body, headers } = await workspace.api('GET', '/v1/groups')
      expect([status, body.error.code, headers.get('retry-after')]).toEqual([503, 'database_not_ready', null])
      expect(JSON.stringify(body)).not.toMatch(/muted|column|select/)
      expect(JSON.stringify(late.logged.find(({ level }) => level === 'error'))).toContain('muted')
    } finally {
      await late.close()
    }
  })

  test('a defect is answered without its details and logged with them', async () => {
    const broken = await createWorld()
    try {
      const workspace = await broken.workspace('Broken')
      await broken.admin(
        'alter table keyword_group drop constraint if exists keyword_group_context_check, alter column context drop default, alter column context type integer using 7',
      )
      const { status, body, headers } = await workspace.api('GET', '/v1/groups')
      expect([status, body.error.code]).toEqual([500, 'internal_error'])
      expect(JSON.stringify(body)).not.toMatch(/context|schema|select/)
      const line = broken.logged.find(({ level }) => level === 'error')
      expect(line).toMatchObject({ requestId: headers.get('x-request-id'), route: '/v1/groups' })
      expect(JSON.stringify(line)).toContain('does not fit its schema')
    } finally {
      await broken.close()
    }
  })
})

const headOfGroup = ({ writeKey }: TestWorkspace, length: number) =>
  [
    'POST /v1/groups HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${writeKey}`,
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    '',
    '',
  ].join('\r\n')

test('closing lets a request in flight end, and cuts one that does not', async () => {
  const ending = await createWorld()
  const workspace = await ending.workspace('Ending')
  const body = JSON.stringify({ name: 'Last' })
  const decent = await openRaw(ending.port)
  const stuck = await openRaw(ending.port)
  const before = ending.clock.waits
  decent.write(headOfGroup(workspace, body.length))
  stuck.write(headOfGroup(workspace, 1000))
  await until(() => ending.clock.waits === before + 2)

  const closed = closeRestServer(ending.server, ending.clock, 1000)
  await until(() => ending.clock.waits === before + 3)
  decent.write(body)
  expect((await decent.answer()).status).toBe(201)
  await ending.clock.advance(1000)
  await closed
  await stuck.closed
  await expect(stuck.answer()).rejects.toThrow()
  await ending.close()
})

test('closing does not wait for a connection that never sent a request, nor for one whose request ends meanwhile', async () => {
  const ending = await createWorld()
  const workspace = await ending.workspace('Ending')
  const ahead = await openRaw(ending.port)
  const busy = await openRaw(ending.port)
  const body = JSON.stringify({ name: 'Last' })
  const before = ending.clock.waits
  busy.write(headOfGroup(workspace, body.length))
  await until(() => ending.clock.waits === before + 1)
  const closed = closeRestServer(ending.server, ending.clock, 1000)
  await ahead.closed
  busy.write(body)
  expect((await busy.answer()).status).toBe(201)
  // The clock stands still: nothing is cut.
  await closed
  await ending.close()
})
