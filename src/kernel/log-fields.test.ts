import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLog } from './log.ts'
import { TEXT_MAX, VALUES_MAX } from './log-fields.ts'

/** The line that a call leaves, as text and parsed. */
function lineOf(call: (log: ReturnType<typeof createLog>) => void) {
  const lines: string[] = []
  call(createLog('info', { write: (line: string) => void lines.push(line) }))
  expect(lines).toHaveLength(1)
  // biome-ignore lint/suspicious/noExplicitAny: a test reads lines freely
  return { text: lines[0]!, line: JSON.parse(lines[0]!) as any }
}

const HUGE = 'x'.repeat(10_000_000)
/** A text is cut and followed by its length. */
const CUT_MAX = TEXT_MAX + 40

describe('a text', () => {
  test.each([
    ['a field', (log: ReturnType<typeof createLog>) => log.info({ text: HUGE }, 'seen')],
    ['a nested field', (log: ReturnType<typeof createLog>) => log.info({ post: { author: { name: HUGE } } }, 'seen')],
    ['a list', (log: ReturnType<typeof createLog>) => log.info({ texts: [HUGE] }, 'seen')],
    ['a message', (log: ReturnType<typeof createLog>) => log.info(HUGE)],
    ['a part of a message', (log: ReturnType<typeof createLog>) => log.info('seen %s', HUGE)],
    ['an error', (log: ReturnType<typeof createLog>) => log.error({ err: new Error(HUGE) }, 'failed')],
    ['an error without a message of ours', (log: ReturnType<typeof createLog>) => log.error({ err: new Error(HUGE) })],
    ['an error alone', (log: ReturnType<typeof createLog>) => log.error(new Error(HUGE))],
    [
      'a property of an error',
      (log: ReturnType<typeof createLog>) =>
        log.error({ err: Object.assign(new Error('x'), { code: HUGE }) }, 'failed'),
    ],
    ['the name of a field', (log: ReturnType<typeof createLog>) => log.info({ fields: { [HUGE]: 1 } }, 'seen')],
    ['what a child log says of itself', (log: ReturnType<typeof createLog>) => log.child({ text: HUGE }).info('seen')],
    [
      'what the child of a child says',
      (log: ReturnType<typeof createLog>) => log.child({ id: 1 }).child({ text: HUGE }).info('seen'),
    ],
  ])('that is huge is cut in %s', (_, call) => {
    const { text } = lineOf(call)
    // Message, field and stack of an error each hold the text.
    expect(text.length).toBeLessThan(3 * CUT_MAX)
  })

  test('that a child log says anyway stands in a line once', () => {
    const { text } = lineOf((log) =>
      log.child({ platform: 'x' }).child({ part: 1 }).info({ platform: 'x', part: 1, found: 2 }, 'asked'),
    )
    expect(text.match(/"platform"/g)).toHaveLength(1)
    expect(JSON.parse(text)).toMatchObject({ platform: 'x', part: 1, found: 2 })
  })

  test('of exactly the limit is whole, and a longer one tells how long it was', () => {
    const { line } = lineOf((log) => log.info({ whole: 'x'.repeat(TEXT_MAX), cut: 'x'.repeat(TEXT_MAX + 1) }, 'seen'))
    expect(line.whole).toBe('x'.repeat(TEXT_MAX))
    expect(line.cut).toBe(`${'x'.repeat(TEXT_MAX)}... (${TEXT_MAX + 1} characters)`)
  })

  test('that grows by being made visible is bounded too', () => {
    expect(lineOf((log) => log.info({ text: '\u202e'.repeat(TEXT_MAX) }, 'seen')).line.text.length).toBeLessThan(
      CUT_MAX,
    )
  })

  test('cannot reach a terminal or hide what stands there', () => {
    const hostile = 'a\u0000\u0007\u001b[31m\r\nb\u007f\u0085\u009b2Jc\u2028d\u202ee\u2066f\ufeffg\ud800'
    const { text, line } = lineOf((log) => log.info({ text: hostile, [`name\u009b\n`]: 1 }, hostile))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: looking for control characters is the purpose
    expect(text.trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]/)
    expect(line.text).toContain('\\u009b2Jc')
    expect(line.msg).toBe(line.text)
  })
})

describe('a secret', () => {
  test('stays out at any depth and under any usual name', () => {
    const names = [
      'authorization',
      'Authorization',
      'password',
      'secret',
      'signingSecret',
      'key',
      'apiKey',
      'x-api-key',
      'token',
      'accessToken',
      'bot_token',
    ]
    const secrets = Object.fromEntries(
      [...names, 'cookie', 'Set-Cookie', 'webhook-signature'].map((name) => [name, 'hush']),
    )
    const { text, line } = lineOf((log) =>
      log.info(
        { ...secrets, a: { b: { c: { d: { ...secrets } } }, list: [[{ ...secrets, keyId: 'key_1' }]] } },
        'asked',
      ),
    )
    expect(text).not.toContain('hush')
    expect(line.a.list[0][0]).toMatchObject({ keyId: 'key_1', apiKey: '[redacted]' })
  })

  test('does not come along with an error', () => {
    const request = { headers: { authorization: 'hush' }, body: 'hush' }
    const err = Object.assign(
      new Error('went wrong', { cause: Object.assign(new Error('reset'), { request, code: 'ECONNRESET' }) }),
      {
        request,
        body: 'hush',
        input: 'hush',
        detail: 'Failing row contains (hush)',
        config: { data: 'hush' },
        code: '23514',
        constraint: 'keyword_term_check',
      },
    )
    const { text, line } = lineOf((log) => log.error({ err, failure: err }, 'failed'))
    expect(text).not.toContain('hush')
    expect(line.err).toEqual({
      type: 'Error',
      message: 'went wrong',
      stack: expect.stringContaining('log-fields.test'),
      code: '23514',
      constraint: 'keyword_term_check',
      cause: { type: 'Error', message: 'reset', stack: expect.any(String), code: 'ECONNRESET' },
    })
    expect(line.failure).toEqual(line.err)
  })
})

describe('a value', () => {
  test('that has no end comes to one', () => {
    const ring: Record<string, unknown> = { name: 'ring' }
    ring['again'] = ring
    ring['list'] = [ring, ring]
    const item = new Error('one')
    item.cause = new AggregateError([item, item], 'two', { cause: item })
    const { text } = lineOf((log) => log.info({ ring, err: item }, 'seen'))
    expect(text.length).toBeLessThan(VALUES_MAX * CUT_MAX)
  })

  test('of many parts is cut, and the line says so', () => {
    const { line } = lineOf((log) => log.info({ list: Array.from({ length: 100_000 }, (_, at) => at) }, 'seen'))
    expect(line.list.length).toBeLessThanOrEqual(VALUES_MAX + 1)
    expect(line.list.at(-1)).toBe('(100000 in all)')
    const wide = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`field${at}`, 'x']))
    expect(lineOf((log) => log.info({ wide }, 'seen')).line.wide.more).toBe('(left out)')
  })

  test('of any kind can be told', () => {
    const at = new Date('2026-11-20T09:30:00.000Z')
    const fields = {
      at,
      never: new Date(Number.NaN),
      big: 12n,
      bytes: Buffer.from('hush'),
      nothing: null,
      absent: undefined,
      odd: () => 1,
      half: 0.5,
    }
    const { line } = lineOf((log) => log.info(fields, 'seen'))
    expect(line).toMatchObject({
      at: at.toISOString(),
      never: 'no date',
      big: '12',
      bytes: '(4 bytes)',
      nothing: null,
      half: 0.5,
    })
    expect(line).not.toHaveProperty('absent')
  })

  test('called like a part of every object changes nothing', () => {
    const { line } = lineOf((log) =>
      log.info({ body: JSON.parse('{"__proto__": {"level": "fatal"}, "constructor": 1}') }, 'seen'),
    )
    expect([line.level, Object.keys(line.body)]).toEqual(['info', ['__proto__', 'constructor']])
  })

  test('whatever it is makes one bounded line of JSON', () => {
    fc.assert(
      fc.property(
        fc.object({ maxDepth: 8, withBigInt: true, withDate: true, withNullPrototype: true, withTypedArray: true }),
        (value) => {
          const { text, line } = lineOf((log) => log.info({ value }, 'seen'))
          expect([text.indexOf('\n'), line.msg]).toEqual([text.length - 1, 'seen'])
        },
      ),
    )
  })
})
