import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createBrowser } from '../../../test/browser.ts'
import { useFreshWorkspace, useWorld } from '../../../test/use-world.ts'
import { LIMIT_METRICS } from '../../commands/limits/metrics.ts'
import { createRateLimits, type SharedLimits } from '../../commands/limits/rate-limits.ts'
import { HOUR_MS, systemClock } from '../../kernel/clock.ts'
import { silentLog } from '../../kernel/log.ts'
import { registerMetrics } from '../../kernel/metrics.ts'
import { WORKSPACE_PER_MINUTE } from '../../operations/invoke.ts'
import { REGISTRATIONS_PER_HOUR } from '../oauth/register.ts'
import { createRestServer } from './server.ts'

interface Api {
  origin: string
  limits: SharedLimits
  close(): Promise<void>
}

const world = useWorld()
const acme = useFreshWorkspace(world, 'Acme')
let apis: [Api, Api]

beforeEach(async () => {
  await world.clock.advance(2 * HOUR_MS)
  apis = [await serve(), await serve()]
})
afterEach(async () => {
  for (const api of apis) await api.close()
})

/** A server as an `api` process has one, on the database of the world. */
async function serve(): Promise<Api> {
  const { services } = world
  const limits = createRateLimits({ ...services, clock: systemClock })
  const stop = new AbortController()
  const sharing = limits.share(stop.signal)
  const server = createRestServer({ services, log: silentLog, limits })
  const origin = await server.listen({ host: '127.0.0.1', port: 0 })
  return {
    origin,
    limits,
    async close() {
      stop.abort()
      await sharing
      await server.close()
    },
  }
}

const get = (api: Api, path: string) =>
  fetch(`${api.origin}${path}`, { headers: { authorization: `Bearer ${acme.readKey}` } })

/** The statuses of requests that go to one process and the other in turn. */
async function inTurn(count: number, ask: (api: Api, at: number) => Promise<{ status: number }>): Promise<number[]> {
  const statuses: number[] = []
  for (let at = 0; at < count; at += 1) statuses.push((await ask(apis[at % 2]!, at)).status)
  return statuses
}

const times = (count: number, status: number) => Array<number>(count).fill(status)

test('the requests of a workspace count over both processes, and the headers say so', async () => {
  const [one, other] = apis
  for (let sent = 0; sent < WORKSPACE_PER_MINUTE; sent += 1)
    expect(one.limits.take(acme.workspaceId, WORKSPACE_PER_MINUTE).granted).toBe(true)
  let granted = 0
  const refused = await vi.waitFor(
    async () => {
      const reply = await get(other, '/v1/whoami')
      if (reply.status === 200) granted += 1
      expect(reply.status).toBe(429)
      return reply
    },
    { timeout: 20_000, interval: 100 },
  )
  expect(granted).toBeLessThan(WORKSPACE_PER_MINUTE)
  const { headers } = refused
  expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual(['600', '0'])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused.json()).toMatchObject({
    error: { code: 'rate_limited', retryAfterSeconds: Number(headers.get('retry-after')) },
  })
})

test('exports of a workspace count over both', async () => {
  const statuses = await inTurn(8, (api) => get(api, '/v1/mentions/export.json'))
  expect(statuses).toEqual([...times(6, 200), ...times(2, 429)])
})

test('sign-in tries of an address count over both', async () => {
  const browsers = new Map(apis.map((api) => [api, createBrowser({ origin: api.origin, services: world.services })]))
  for (const browser of browsers.values()) await browser.open('/sign-in')
  const statuses = await inTurn(12, (api, at) =>
    browsers.get(api)!.post('/sign-in', { email: `n${at}@example.com`, password: 'wrong wrong wrong' }),
  )
  expect(statuses).toEqual([...times(10, 401), ...times(2, 429)])
})

test('registrations of OAuth clients from an address count over both', async () => {
  const body = JSON.stringify({ redirect_uris: ['https://client.example/back'] })
  const register = (api: Api) =>
    fetch(`${api.origin}/oauth/register`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const statuses = await inTurn(REGISTRATIONS_PER_HOUR + 2, register)
  expect(statuses).toEqual([...times(REGISTRATIONS_PER_HOUR, 201), ...times(2, 429)])
})

test('metrics say how many other processes there are, and whether this one counts alone', async () => {
  const metrics = registerMetrics(LIMIT_METRICS)
  const stop = new AbortController()
  const sharing = createRateLimits({ ...world.services, clock: systemClock, metrics }).share(stop.signal)
  await vi.waitFor(
    async () => {
      const shown = await metrics.registry.metrics()
      expect(shown).toContain('earshot_limit_peers 2')
      expect(shown).toContain('earshot_limits_alone{counting="exact"} 0')
      expect(shown).toContain('earshot_limits_alone{counting="exchanged"} 0')
    },
    { timeout: 20_000, interval: 50 },
  )
  stop.abort()
  await sharing
})
