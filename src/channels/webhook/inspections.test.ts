import { MockAgent } from 'undici'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createTestClock } from '../../../test/clock.ts'
import { inspectionTokenIn, inspectionUrl } from '../../domain/channel/inspection.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { createEgress } from '../../kernel/egress.ts'
import { newSecret } from '../../kernel/secrets.ts'
import { AT, SAMPLE } from '../conformance.suite.ts'
import type { InspectedRequest } from '../contract.ts'
import { createWebhookSetup, newWebhookSecret } from './config.ts'
import { reachingInspections } from './inspections.ts'
import { createWebhookSender } from './sender.ts'
import { isSignedBy } from './signing.ts'

const HOME = 'http://localhost:4400'
const { text: token } = newSecret('ein')
const url = inspectionUrl(HOME, token)
const secret = newWebhookSecret()
const guard = createEgress({ allow: [] })
/** Refuses every connection. */
const dispatcher = new MockAgent()
dispatcher.disableNetConnect()
afterAll(() => Promise.all([guard.close(), dispatcher.close()]))

let taken: { token: string; request: InspectedRequest }[] = []
let status: 200 | 404 | 429 | 503 = 200
beforeEach(() => {
  taken = []
  status = 200
})
const inspections = {
  tokenIn: (asked: string) => inspectionTokenIn(HOME, asked),
  take: async (asked: string, request: InspectedRequest) => {
    taken.push({ token: asked, request })
    return status
  },
}
const egress = reachingInspections({ check: guard.check, dispatcher }, inspections)
const sender = createWebhookSender({ egress, inspections, clock: createTestClock(AT), userAgent: 'test' })

function send(to: string, signal = new AbortController().signal) {
  const config = sender.readConfig({ url: to, headers: {}, secret })
  if (isRefusal(config)) throw new Error(config.message)
  return sender.send(sender.render(SAMPLE, config, AT), signal)
}

test('a request to an inbox is handed over, signed, without a connection', async () => {
  expect(await send(url)).toMatchObject({ outcome: 'delivered', status: 200 })
  const [{ token: given, request }] = taken as [(typeof taken)[0]]
  expect(given).toBe(token)
  expect(isSignedBy(secret, request, AT)).toBe(true)
  expect(isSignedBy(newWebhookSecret(), request, AT)).toBe(false)
  expect(isSignedBy(secret, { ...request, body: Buffer.from('{}') }, AT)).toBe(false)
  expect(isSignedBy(secret, request, new Date(AT.getTime() + 301_000))).toBe(false)
})

test.each([
  [404, 'permanent'],
  [429, 'temporary'],
  [503, 'temporary'],
] as const)('status %i of an inbox is %s', async (given, outcome) => {
  status = given
  expect(await send(url)).toMatchObject({ outcome, status: given })
})

test('an attempt that was stopped hands nothing over', async () => {
  expect(await send(url, AbortSignal.abort())).toMatchObject({ outcome: 'temporary', status: null })
  expect(taken).toEqual([])
})

test.each([
  `${HOME}/`,
  `${HOME}/v1/whoami`,
  `${HOME}/inspect/`,
  `${HOME}/inspect/${newSecret('ref').text}`,
  `${url}/`,
  `${url}?a=1`,
  `${url}#a`,
  `${url}/../../v1/whoami`,
  `${HOME}/inspect/../inspect/${token}`,
  `${HOME}/Inspect/${token}`,
  `http://LOCALHOST:4400/inspect/${token}`,
  `http://localhost:4401/inspect/${token}`,
  `http://127.0.0.1:4400/inspect/${token}`,
  `http://user@localhost:4400/inspect/${token}`,
  `http://localhost/inspect/${token}`,
  `https://localhost:4400/inspect/${token}`,
])('%s stays refused', (other) => {
  const setup = createWebhookSetup(egress)
  expect(isRefusal(setup.create({ url }))).toBe(false)
  expect(isRefusal(setup.create({ url: other }))).toBe(true)
  expect(isRefusal(sender.readConfig({ url: other, headers: {}, secret }))).toBe(true)
})
