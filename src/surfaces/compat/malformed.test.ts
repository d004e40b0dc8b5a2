import { beforeEach, describe, expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import type { ApiAnswer } from '../../../test/world.ts'
import { MINUTE_MS } from '../../kernel/clock.ts'
import { COMPAT_CATALOGUE } from './catalogue.ts'
import { COMPAT_CODES, type CompatCode } from './envelope.ts'
import { fieldsOf, sampleOf } from './generated.suite.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeEach(() => world.clock.advance(MINUTE_MS))

/** Every refusal has the envelope, whatever was wrong. */
function expectEnvelope({ status, body }: ApiAnswer, told: string): void {
  if (status < 300) return
  const { code, message, details } = body.error
  expect(Object.keys(COMPAT_CODES), told).toContain(code)
  expect([COMPAT_CODES[code as CompatCode].status, body.error.status], told).toEqual([status, status])
  expect(status === 501 || status < 500, told).toBe(true)
  expect(message.length, told).toBeGreaterThan(5)
  expect(Array.isArray(details), told).toBe(code === 'VALIDATION_ERROR')
  for (const problem of details ?? [])
    expect(problem, told).toEqual({ path: expect.any(String), message: expect.any(String) })
}

const VALUES: readonly unknown[] = [
  null,
  [],
  {},
  -1,
  1.5,
  '',
  'x'.repeat(3000),
  true,
  [null],
  [[1]],
  { a: { b: 1 } },
  '\u0000',
  1e300,
]
const WITH_BODY = COMPAT_CATALOGUE.filter(({ hasBody, compatTag }) => hasBody && compatTag !== 'Unavailable')

describe.each(WITH_BODY)('$id', (operation) => {
  test('refuses bodies that are no object of its fields', async () => {
    const { method, path } = await sampleOf(operation)
    for (const body of [[], 'text', 1, true, null, { constructor: { prototype: 1 } }]) {
      const answer = await acme.api(method, path, body)
      expectEnvelope(answer, JSON.stringify(body))
      if (operation.scope !== 'admin' && !(typeof body === 'object' && body !== null && 'constructor' in body))
        expect([400, 404]).toContain(answer.status)
    }
    const half = await fetch(`${world.origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${acme.writeKey}`, 'content-type': 'application/json' },
      body: '{"a": ',
    })
    expect(half.status).toBe(operation.scope === 'admin' ? 403 : 400)
    expect(((await half.json()) as { error: { status: number } }).error.status).toBe(half.status)
  })

  test('refuses or takes every value of every field, and never fails', { timeout: 60_000 }, async () => {
    const { method, path, body } = await sampleOf(operation)
    for (const field of fieldsOf(operation)) {
      await world.clock.advance(MINUTE_MS)
      for (const value of VALUES)
        expectEnvelope(
          await acme.api(method, path, { ...(body as object), [field]: value }),
          `${field}: ${JSON.stringify(value)}`,
        )
    }
  })
})

describe.each(COMPAT_CATALOGUE.filter(({ query }) => Object.keys(query.shape).length > 0))('$id', (operation) => {
  test('refuses or takes every value of every parameter, and never fails', async () => {
    const { method, path } = await sampleOf(operation)
    const base = path.split('?')[0]!
    for (const name of Object.keys(operation.query.shape)) {
      await world.clock.advance(MINUTE_MS)
      for (const value of ['', '-1', 'x', '1,2,,', '%00', 'a&' + `${name}=b`, '9'.repeat(30), '2026-13-45'])
        expectEnvelope(await acme.api(method, `${base}?${name}=${value}`), `${name}=${value}`)
    }
    const unknown = await acme.api(method, `${base}?nonsense=1`)
    expect(unknown.status).toBe(400)
  })
})

test.each(
  COMPAT_CATALOGUE.filter(
    ({ params, compatTag }) => Object.keys(params.shape).length > 0 && compatTag !== 'Unavailable',
  ),
)('$id: what names nothing is not found', async (operation) => {
  const { method, body } = await sampleOf(operation)
  for (const id of ['nonsense', '0', '-1', '1.5', '9007199254740993', '%zz', '1%2F2']) {
    const answer = await acme.api(method, operation.path.replace(/\{\w+\}/, id), body)
    expectEnvelope(answer, id)
    expect([id, answer.status]).toEqual([id, operation.scope === 'admin' && !/%zz/.test(id) ? 403 : 404])
  }
})
