import { Writable } from 'node:stream'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { createPerson, createSession } from '../../test/people.ts'
import { useWorkspace, useWorld } from '../../test/use-world.ts'
import { createRateLimits } from '../commands/limits/rate-limits.ts'
import { isRefusal, type Refusal, refuse, refuseField } from '../domain/refusal/refusal.ts'
import { MINUTE_MS } from '../kernel/clock.ts'
import { createLog } from '../kernel/log.ts'
import { alreadyThere } from './already-there.ts'
import { defineOperation } from './definition.ts'
import type { Presented } from './identify.ts'
import { createOperationHost, failureOf, invoke, type OperationHost } from './invoke.ts'
import { wholeIn } from './shapes.ts'

const about = {
  summary: 'Try',
  description: 'Tries.',
  tag: 'Service',
  tool: { hidden: 'It is a test.' },
  status: 200,
  errors: [],
} as const
const output = z.strictObject({ sum: z.int() })
const reading = defineOperation({
  ...about,
  id: 'read',
  method: 'GET',
  path: '/v1/read',
  access: 'read',
  query: { a: wholeIn(0, 9).default(1) },
  output,
  limit: { name: 'shared', perMinute: 3 },
  run: async (_, { query }) => (query.a === 9 ? refuseField('a', 'is too much') : { sum: query.a + 1 }),
})
const other = defineOperation({
  ...about,
  id: 'other',
  method: 'GET',
  path: '/v1/other',
  access: 'read',
  output,
  limit: { name: 'shared', perMinute: 3 },
  run: async () => ({ sum: 0 }),
})
const writing = defineOperation({
  ...about,
  id: 'write',
  method: 'POST',
  path: '/v1/write',
  access: 'write',
  output,
  run: async () => ({ sum: 0 }),
})
const wrong = defineOperation({
  ...about,
  id: 'wrong',
  method: 'GET',
  path: '/v1/wrong',
  access: 'read',
  output,
  run: async () => ({ sum: 0.5 }),
})

let host: OperationHost
const logged: string[] = []
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(() => {
  const log = createLog('debug', new Writable({ write: (chunk, _, done) => done(void logged.push(String(chunk))) }))
  host = createOperationHost({
    services: world.services,
    log,
    limits: createRateLimits(world.services),
    describe: async () => ({}),
    misfit: 'log',
  })
})
beforeEach(() => world.clock.advance(MINUTE_MS))

const bearer = (text: string): Presented => ({ kind: 'bearer', text })
const nothing = { params: {}, query: {}, body: undefined }

function codeOf(answer: unknown): string | null {
  return isRefusal(answer) ? (answer as Refusal).code : null
}

test('an operation is run with the parsed request, and the caller is told how it stands', async () => {
  const { answer, caller, allowance } = await invoke(host, reading, bearer(acme.readKey), {
    ...nothing,
    query: { a: '4' },
  })
  expect(answer).toEqual({ sum: 5 })
  expect(caller).toMatchObject({ workspaceId: acme.workspaceId, scope: 'read' })
  expect(allowance).toMatchObject({ limit: 600, remaining: 599 })
})

test('scope is judged before what is asked', async () => {
  expect(codeOf((await invoke(host, writing, bearer(acme.readKey), nothing)).answer)).toBe('read_only_key')
})

test('a request that is refused for what it asks uses up nothing of the limit of its operation', async () => {
  for (const a of ['x', '9', 'x', '9', 'x', '9']) {
    const { answer } = await invoke(host, reading, bearer(acme.readKey), { ...nothing, query: { a } })
    expect(codeOf(answer)).toBe('validation_error')
  }
  for (let sent = 0; sent < 3; sent += 1)
    expect(codeOf((await invoke(host, reading, bearer(acme.readKey), nothing)).answer)).toBeNull()
  expect(codeOf((await invoke(host, reading, bearer(acme.readKey), nothing)).answer)).toBe('rate_limited')
})

test('operations with one limit share its count, for each workspace apart', async () => {
  for (let sent = 0; sent < 3; sent += 1)
    await invoke(host, sent === 0 ? other : reading, bearer(acme.readKey), nothing)
  const { answer, allowance } = await invoke(host, other, bearer(acme.writeKey), nothing)
  expect(answer).toMatchObject({
    code: 'rate_limited',
    message: 'This operation allows 3 requests a minute.',
    retryAfterSeconds: 60,
  })
  expect(allowance).toMatchObject({ granted: true, limit: 600, remaining: 596 })
  const stranger = await world.workspace('Stranger')
  expect(codeOf((await invoke(host, other, bearer(stranger.readKey), nothing)).answer)).toBeNull()
})

test('a person in browsers has a limit of their own, in all their browsers together and beside that of the workspace', async () => {
  const [busy, calm] = [
    await createPerson(world.services, acme.workspaceId, 'member'),
    await createPerson(world.services, acme.workspaceId, 'member'),
  ]
  const secondSession = await createSession(world.services, acme.workspaceId, busy.userId)
  const asked = (secret: string) => invoke(host, writing, { kind: 'session', secret }, nothing)
  expect((await asked(busy.sessionSecret)).allowance).toMatchObject({ limit: 300, remaining: 299 })
  expect((await asked(secondSession)).allowance).toMatchObject({ limit: 300, remaining: 298 })
  for (let sent = 2; sent < 300; sent += 1) await asked(busy.sessionSecret)
  expect((await asked(secondSession)).answer).toMatchObject({
    code: 'rate_limited',
    message: 'You have used your 300 requests of the last 60 seconds.',
    retryAfterSeconds: 60,
  })
  expect((await asked(calm.sessionSecret)).allowance).toMatchObject({ granted: true, remaining: 299 })
  expect((await invoke(host, writing, bearer(acme.writeKey), nothing)).allowance).toMatchObject({
    limit: 600,
    remaining: 599,
  })
  expect((await invoke(host, writing, bearer(busy.token), nothing)).allowance).toMatchObject({
    limit: 600,
    remaining: 598,
  })
})

test('an answer that does not fit its schema is a logged defect in service and an error in tests', async () => {
  const { answer } = await invoke(host, wrong, bearer(acme.readKey), nothing)
  expect(answer).toEqual({ sum: 0.5 })
  expect(logged.at(-1)).toMatch(/"operation":"wrong".*sum/)
  await expect(invoke({ ...host, misfit: 'throw' }, wrong, bearer(acme.readKey), nothing)).rejects.toThrow(
    'the answer of wrong does not fit its schema',
  )
})

test('of a long list only the first items are checked in service, with the rest of the answer, and all of them in tests', async () => {
  const listing = (data: number[], total: number) =>
    defineOperation({
      ...about,
      id: 'listing',
      method: 'GET',
      path: '/v1/listing',
      access: 'read',
      output: z.strictObject({ data: z.array(z.int()).max(1000), total: z.int() }),
      run: async () => ({ data, total }),
    })
  const whole = Array.from({ length: 100 }, (_, at) => at)
  const found = async (data: number[], total: number) => {
    logged.length = 0
    expect((await invoke(host, listing(data, total), bearer(acme.readKey), nothing)).answer).toEqual({ data, total })
    return logged.join('')
  }
  expect(await found(whole, 100)).toBe('')
  expect(await found(whole.with(4, 0.5), 100)).toContain('data.4')
  expect(await found(whole.with(5, 0.5), 100)).toBe('')
  expect(await found(whole, 0.5)).toContain('total')
  const strict: OperationHost = { ...host, misfit: 'throw' }
  await expect(invoke(strict, listing(whole.with(99, 0.5), 100), bearer(acme.readKey), nothing)).rejects.toThrow(
    'data.99',
  )
})

test('what was there already is checked like what is new', async () => {
  const there = (sum: number) =>
    defineOperation({
      ...about,
      id: 'there',
      method: 'POST',
      path: '/v1/there',
      access: 'write',
      output,
      again: 200,
      run: async () => alreadyThere({ sum }),
    })
  const strict: OperationHost = { ...host, misfit: 'throw' }
  expect((await invoke(strict, there(1), bearer(acme.writeKey), nothing)).answer).toEqual(alreadyThere({ sum: 1 }))
  await expect(invoke(strict, there(0.5), bearer(acme.writeKey), nothing)).rejects.toThrow(
    'the answer of there does not fit its schema',
  )
})

test('an unforeseen error is told without its reason', () => {
  expect(failureOf(new Error('secret reason'), host.log, {})).toEqual(
    refuse('internal_error', 'The service failed. Report the request id to the operator.'),
  )
  expect(logged.at(-1)).toContain('secret reason')
})
