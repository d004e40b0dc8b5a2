import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { until } from '../../../test/until.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { createLog } from '../../kernel/log.ts'
import { defineOperation } from '../../operations/definition.ts'
import { streamed } from '../../operations/streamed.ts'
import { createRestServer } from './server.ts'

const left: string[] = []

/** Hands out portions, then breaks off if told to, and notes that it was left. */
async function* portions(kind: string, count: number, breaks: boolean) {
  try {
    for (let at = 0; at < count; at += 1) yield `${'x'.repeat(10_000)}\n`
    if (breaks) throw new Error('the source broke')
  } finally {
    left.push(kind)
  }
}

const exporting = defineOperation({
  id: 'export',
  method: 'GET',
  path: '/v1/export',
  access: 'read',
  summary: 'Export',
  description: 'Exports.',
  tag: 'Service',
  query: { kind: z.enum(['whole', 'none', 'early', 'late', 'endless']) },
  status: 200,
  output: z.string().max(1_000_000),
  streams: 'text/csv; charset=utf-8',
  headers: { 'X-Mentions-Truncated': 'Whether it was cut.' },
  errors: [],
  tool: { hidden: 'It is a test.' },
  async run(_, { query: { kind } }) {
    const count = { whole: 20, none: 0, early: 0, late: 200, endless: 1e9 }[kind]
    return streamed(portions(kind, count, kind === 'early' || kind === 'late'), { 'X-Mentions-Truncated': 'true' })
  },
})

let server: ReturnType<typeof createRestServer>
let origin: string
const logged: string[] = []
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(async () => {
  server = createRestServer({
    services: world.services,
    log: createLog('error', { write: (line) => void logged.push(line) }),
    catalogue: [exporting],
    misfit: 'throw',
  })
  origin = await server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close())

const get = (kind: string, signal?: AbortSignal) =>
  fetch(`${origin}/v1/export?kind=${kind}`, {
    headers: { authorization: `Bearer ${acme.readKey}` },
    ...(signal ? { signal } : {}),
  })

test('portions arrive whole, under the declared type and headers', async () => {
  const reply = await get('whole')
  expect([
    reply.status,
    reply.headers.get('content-type'),
    reply.headers.get('x-mentions-truncated'),
    reply.headers.get('x-ratelimit-limit'),
  ]).toEqual([200, 'text/csv; charset=utf-8', 'true', '600'])
  expect((await reply.text()).length).toBe(20 * 10_001)
})

test('nothing at all is an empty answer', async () => {
  const reply = await get('none')
  expect([reply.status, await reply.text()]).toEqual([200, ''])
})

test('what fails before the first portion is answered as an error', async () => {
  const reply = await get('early')
  expect([reply.status, ((await reply.json()) as { error: { code: string } }).error.code]).toEqual([
    500,
    'internal_error',
  ])
})

test('what fails later breaks the answer off, so that nobody takes it for whole, and is logged', async () => {
  const reply = await get('late')
  expect(reply.status).toBe(200)
  await expect(reply.text()).rejects.toThrow()
  expect(
    logged.filter((line) => line.includes('A streamed answer broke off') && line.includes('the source broke')),
  ).toHaveLength(1)
})

test('a reader who leaves ends the work behind the stream', async () => {
  const leaving = new AbortController()
  const reply = await get('endless', leaving.signal)
  await reply.body!.getReader().read()
  leaving.abort()
  await until(() => left.includes('endless'))
})

test('asking only for the head starts nothing', async () => {
  const before = left.length
  const reply = await fetch(`${origin}/v1/export?kind=whole`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${acme.readKey}` },
  })
  expect([reply.status, reply.headers.get('content-type'), await reply.text()]).toEqual([
    200,
    'text/csv; charset=utf-8',
    '',
  ])
  expect(left.length).toBe(before)
})
