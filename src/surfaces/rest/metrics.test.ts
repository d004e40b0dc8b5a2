import { once } from 'node:events'
import { connect } from 'node:net'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { Gauge } from 'prom-client'
import { afterEach, describe, expect, test } from 'vitest'
import { createTestClock } from '../../../test/clock.ts'
import { createMetrics, type Metrics } from '../../../test/metrics.ts'
import { openRaw } from '../../../test/raw.ts'
import { until } from '../../../test/until.ts'
import { createLog } from '../../kernel/log.ts'
import { CATALOGUE } from '../../operations/catalogue.ts'
import type { Services } from '../../operations/definition.ts'
import { openApiDocument } from '../openapi/document.ts'
import { isOperator, readOperatorAddresses } from './metrics.ts'
import { createRestServer } from './server.ts'

const AT_HOME = ['127.0.0.0/8', '::1']

const servers: FastifyInstance[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

/** A service that needs no database, because nothing asks for one. */
function setting({ operatorAddresses = AT_HOME }: { operatorAddresses?: string[] } = {}) {
  const metrics = createMetrics()
  const logged: Record<string, unknown>[] = []
  const log = createLog('info', {
    write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>),
  })
  const services = {
    db: { callerConnections: 1 },
    clock: createTestClock(),
    publicUrl: 'https://earshot.test',
  } as unknown as Services
  const server = createRestServer({ services, log, metrics, operatorAddresses })
  servers.push(server)
  return { server, metrics, logged }
}

async function ask(server: FastifyInstance, options: InjectOptions) {
  const { statusCode, headers, body } = await server.inject({
    method: 'GET',
    url: '/metrics',
    remoteAddress: '127.0.0.1',
    ...options,
  })
  return { status: statusCode, headers, body }
}

/** An answer without what differs from one request to the next. */
function likeness({ status, headers, body }: Awaited<ReturnType<typeof ask>>) {
  const id = String(headers['x-request-id'])
  return JSON.parse(JSON.stringify({ status, headers: { ...headers, date: '' }, body }).replaceAll(id, 'id')) as unknown
}

async function seriesOf(metric: Metrics['requests']): Promise<Record<string, unknown>[]> {
  return (await metric.get()).values.map(({ labels, value }) => ({ ...labels, value }))
}

describe('who an operator is', () => {
  const at = (address: string | undefined, ranges: readonly string[], headers: Record<string, string> = {}) =>
    isOperator({ address, headers: { host: 'localhost:4400', ...headers } }, readOperatorAddresses(ranges))

  test.each([
    ['127.0.0.1', AT_HOME],
    ['127.9.9.9', AT_HOME],
    ['::1', AT_HOME],
    ['::ffff:127.0.0.1', AT_HOME],
    ['::ffff:7f00:1', AT_HOME],
    ['10.1.2.3', ['10.0.0.0/8']],
    ['::ffff:10.1.2.3', ['10.0.0.0/8']],
    ['10.1.2.3', ['::ffff:10.0.0.0/104']],
    ['192.168.1.7', ['10.0.0.0/8', '192.168.1.7']],
    ['fd00::7', ['fd00::/8']],
    ['fe80::1%eth0', ['fe80::/10']],
  ])('%s is of %j', (address, ranges) => {
    expect(at(address, ranges)).toBe(true)
  })

  test.each([
    ['10.1.2.3', AT_HOME],
    ['128.0.0.1', AT_HOME],
    ['::2', AT_HOME],
    ['::ffff:10.1.2.3', AT_HOME],
    ['11.0.0.1', ['10.0.0.0/8']],
    ['192.168.1.8', ['192.168.1.7']],
    ['127.0.0.1', ['::/0']],
    ['::1', ['0.0.0.0/0']],
    ['127.0.0.1', []],
    ['127.1', AT_HOME],
    ['', AT_HOME],
    ['localhost', AT_HOME],
    [undefined, AT_HOME],
  ])('%s is not of %j', (address, ranges) => {
    expect(at(address, ranges)).toBe(false)
  })

  test.each(['localhost', 'LOCALHOST:4400', '127.0.0.1', '127.0.0.1:4400', '[::1]:4400', '10.0.0.5:80'])(
    'at the machine itself may call it %s',
    (host) => {
      expect(at('127.0.0.1', AT_HOME, { host })).toBe(true)
    },
  )

  test.each(['earshot.example', 'earshot.example:4400', 'localhost.earshot.example', '127.0.0.1.earshot.example', ''])(
    'at the machine itself is not who calls it %j, which is how a hidden proxy or a web page does',
    (host) => {
      expect([at('127.0.0.1', AT_HOME, { host }), at('::1', AT_HOME, { host })]).toEqual([false, false])
      expect(at('10.1.2.3', ['10.0.0.0/8'], { host })).toBe(true)
    },
  )

  test('is not told by what is no range', () => {
    expect(() => readOperatorAddresses(['everybody'])).toThrow(RangeError)
  })
})

describe('GET /metrics', () => {
  test('shows an operator every metric, and tells nobody to keep it', async () => {
    const { server, metrics } = setting()
    const { status, headers, body } = await ask(server, {})
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      metrics.registry.contentType,
      'no-store',
    ])
    expect([headers['access-control-allow-origin'], headers['x-ratelimit-limit']]).toEqual([undefined, undefined])
    for (const { name, kind } of metrics.declared) expect(body).toContain(`# TYPE ${name} ${kind}\n`)
  })

  test('answers HEAD with the same head and nothing else', async () => {
    const { server } = setting()
    const { status, headers, body } = await ask(server, { method: 'HEAD' })
    expect([status, body, headers['cache-control']]).toEqual([200, '', 'no-store'])
    expect(headers['content-type']).toMatch(/^text\/plain/)
  })

  test.each([
    ['another address', { remoteAddress: '10.1.2.3' }],
    ['another address in the mapped form', { remoteAddress: '::ffff:10.1.2.3' }],
    [
      'another address with a body',
      { remoteAddress: '10.1.2.3', payload: 'x', headers: { 'content-type': 'text/plain' } },
    ],
    ['another address with HEAD', { remoteAddress: '10.1.2.3', method: 'HEAD' }],
    ['a foreign host', { headers: { host: 'earshot.example' } }],
    ...['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Real-Ip', 'Via'].map((name) => [
      `a proxy that says ${name}`,
      { headers: { [name]: '127.0.0.1' } },
    ]),
    ['an empty header of a proxy', { headers: { 'x-forwarded-for': '' } }],
    ['POST', { method: 'POST', payload: '{}', headers: { 'content-type': 'application/json' } }],
    ['PUT', { method: 'PUT' }],
    ['DELETE', { method: 'DELETE' }],
    [
      'OPTIONS',
      { method: 'OPTIONS', headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' } },
    ],
    ['a slash behind it', { url: '/metrics/' }],
  ] as [string, InjectOptions][])('does not exist for %s', async (_, options) => {
    const { server } = setting()
    const refused = await ask(server, options)
    const unknown = await ask(server, { ...options, url: '/nonsense' })
    expect(refused.status).toBe(404)
    expect(likeness(refused)).toEqual(likeness(unknown))
  })

  test('does not exist for anybody when there are no operators', async () => {
    const { server } = setting({ operatorAddresses: [] })
    expect(likeness(await ask(server, {}))).toEqual(likeness(await ask(server, { url: '/nonsense' })))
  })

  test('does not exist where nothing is counted', async () => {
    const server = createRestServer({
      services: {
        db: { callerConnections: 1 },
        clock: createTestClock(),
        publicUrl: 'https://earshot.test',
      } as unknown as Services,
      log: createLog('silent'),
    })
    servers.push(server)
    expect((await ask(server, {})).status).toBe(404)
  })

  test('goes by the connection, as it is on the wire', async () => {
    const { server } = setting()
    const port = Number(new URL(await server.listen({ host: '127.0.0.1', port: 0 })).port)
    const connection = await openRaw(port)
    connection.write('GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
    const shown = await connection.answer()
    connection.write('GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: 127.0.0.1\r\n\r\n')
    const hidden = await connection.answer()
    connection.write('GET /nonsense HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
    const unknown = await connection.answer()
    connection.destroy()
    expect([shown.status, hidden.status, unknown.status]).toEqual([200, 404, 404])
    expect([...hidden.headers.keys()]).toEqual([...unknown.headers.keys()])
    expect(shown.body).toContain('earshot_http_requests_total')
  })

  test('is made once for all who ask meanwhile', async () => {
    const { server, metrics } = setting()
    let made = 0
    let finish: () => void = () => undefined
    new Gauge({
      name: 'slow',
      help: 'Takes its time.',
      registers: [metrics.registry],
      collect() {
        made += 1
        return new Promise<void>((resolve) => {
          finish = resolve
        })
      },
    })
    const asked = [1, 2, 3, 4].map(() => ask(server, {}))
    await until(() => made > 0)
    // Everybody who waits has come in by the time that a request which began later is through.
    expect((await ask(server, { url: '/v1/health' })).status).toBe(200)
    finish()
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(made).toBe(1)
    const later = ask(server, {})
    await until(() => made === 2)
    finish()
    expect((await later).status).toBe(200)
  })

  test('is no part of the public interface', () => {
    expect(JSON.stringify(openApiDocument(CATALOGUE))).not.toContain('/metrics')
  })
})

describe('requests', () => {
  test('are counted by operation and status, never by what the caller wrote', async () => {
    const { server, metrics } = setting()
    const urls = [
      '/v1/health',
      '/v1/health?a=b',
      '/v1/groups',
      '/v1/groups/one',
      '/v1/groups/two',
      '/',
      '/docs/',
      '/docs/js/scalar.js',
      '/metrics',
    ]
    for (const url of urls) await ask(server, { url })
    for (const url of ['/x', '/v1/y', '/v1/%zz', '/metrics/', `/v1/groups/${'x'.repeat(500)}`])
      await ask(server, { url })
    await ask(server, { remoteAddress: '10.1.2.3' })
    await ask(server, { method: 'OPTIONS', url: '/v1/anything' })
    expect(await seriesOf(metrics.requests)).toEqual([
      { operation: 'get-health', status: 200, value: 1 },
      { operation: 'get-health', status: 400, value: 1 },
      { operation: 'list-groups', status: 401, value: 1 },
      { operation: 'get-group', status: 401, value: 2 },
      { operation: 'page', status: 200, value: 3 },
      { operation: 'metrics', status: 200, value: 1 },
      { operation: 'unknown', status: 404, value: 6 },
      { operation: 'preflight', status: 204, value: 1 },
    ])
    const known = new Set([...CATALOGUE.map(({ id }) => id), 'page', 'metrics', 'unknown', 'preflight'])
    const timed = (await metrics.requestSeconds.get()).values.map(({ labels }) => labels.operation)
    for (const operation of timed) expect(known).toContain(operation)
  })

  test('whose caller was gone before the answer are counted and told too', async () => {
    const { server, metrics, logged } = setting()
    let arrived: () => void = () => undefined
    const waiting = new Promise<void>((resolve) => {
      arrived = resolve
    })
    let finish: () => void = () => undefined
    new Gauge({
      name: 'slow',
      help: 'Takes its time.',
      registers: [metrics.registry],
      collect() {
        arrived()
        return new Promise<void>((resolve) => {
          finish = resolve
        })
      },
    })
    const port = Number(new URL(await server.listen({ host: '127.0.0.1', port: 0 })).port)
    const socket = connect({ port, host: '127.0.0.1' })
    socket.write('GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await waiting
    socket.destroy()
    await once(socket, 'close')
    await until(() => logged.length > 0)
    finish()
    expect(logged).toEqual([
      expect.objectContaining({
        event: 'request.finished',
        operation: 'metrics',
        status: null,
        bytes: 0,
        brokenOff: true,
      }),
    ])
    expect(await seriesOf(metrics.requests)).toEqual([{ operation: 'metrics', status: 'none', value: 1 }])
  })

  test('have one line each, also those that no route and no hook sees', async () => {
    const { server, logged } = setting()
    await ask(server, { url: '/v1/%zz?token=hush', headers: { authorization: 'Bearer hush' } })
    await ask(server, { url: '/v1/health' })
    await ask(server, { url: '/v1/health', method: 'HEAD' })
    await until(() => logged.length === 3)
    const [odd, health, head] = logged
    expect(odd).toMatchObject({ operation: 'unknown', route: null, status: 404, code: 'not_found' })
    expect(health).toMatchObject({
      operation: 'get-health',
      route: '/v1/health',
      status: 200,
      bytes: expect.any(Number),
    })
    expect(health!['bytes']).toBeGreaterThan(2)
    expect(head).toMatchObject({ operation: 'get-health', bytes: 0 })
    expect(JSON.stringify(logged)).not.toContain('hush')
  })
})
