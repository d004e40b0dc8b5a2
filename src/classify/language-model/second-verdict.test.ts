import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestClock, type TestClock } from '../../../test/clock.ts'
import { createMetrics, type Metrics } from '../../../test/metrics.ts'
import {
  type BudgetInMemory,
  budgetInMemory,
  cacheInMemory,
  modelAt,
  obedient,
  STAND_IN_USAGE,
  secondLookAt,
  startStandInModel,
} from '../../../test/stand-ins/language-model.ts'
import { eventually } from '../../../test/stand-ins/pipeline.ts'
import { useResource } from '../../../test/use-world.ts'
import { uuidFromName } from '../../kernel/ids.ts'
import { renderMetrics } from '../../kernel/metrics.ts'
import { subjectFor } from '../conformance.suite.ts'
import type { SecondVerdict, SecondVerdictResult } from '../ports.ts'
import { costOf } from './call-cost.ts'
import { REST_MS } from './circuit-breaker.ts'
import { WAIT_MAX_MS, WAITING_MENTIONS_MAX } from './waiting-mentions.ts'

const server = useResource(startStandInModel)

const NEVER = new AbortController().signal
let clock: TestClock
let budget: BudgetInMemory
let metrics: Metrics
let open: SecondVerdict[]
beforeEach(() => {
  server.asked.length = 0
  server.behave(obedient)
  clock = createTestClock()
  budget = budgetInMemory()
  metrics = createMetrics()
  open = []
})
afterEach(async () => {
  await Promise.all(open.map((look) => look.close()))
})

function looking(
  changes: Parameters<typeof secondLookAt>[1] & { timeoutMs?: number; provider?: 'openai' | 'anthropic' } = {},
): SecondVerdict {
  const { timeoutMs = 5000, provider = 'openai', ...rest } = changes
  const second = secondLookAt(modelAt(server.url, { timeoutMs, provider }), { clock, budget, metrics, ...rest })
  open.push(second)
  return second
}
const posts = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => subjectFor(`acme is number ${from + at}`))
const all = async (
  second: SecondVerdict,
  subjects: Parameters<SecondVerdict['look']>[0],
): Promise<SecondVerdictResult[]> => Promise.all(await second.look(subjects, NEVER))
const relevances = (looked: readonly SecondVerdictResult[]) =>
  looked.map((item) => (item === null ? null : 'verdict' in item ? item.verdict.relevance : item.fallback))
const sizes = () => server.asked.map(({ mentions }) => mentions.length)
const counted = async (name: string) =>
  (await renderMetrics(metrics)).split('\n').filter((line) => line.startsWith(`earshot_${name}`))
const COST = costOf(STAND_IN_USAGE.input, STAND_IN_USAGE.output, { input: 1_000_000, output: 4_000_000 })

describe('asking a language model', () => {
  test('takes mentions of one context together, at most twenty, and of others apart', async () => {
    const other = [
      subjectFor('acme anvils', { context: 'Anvils.' }),
      subjectFor('acme tools', { context: 'Anvils.' }),
      subjectFor('zeta', { term: 'zeta' }),
    ]
    const looked = await all(looking(), [...posts(45), ...other])
    expect(relevances(looked)).toEqual(Array(48).fill(83))
    expect(sizes().sort((a, b) => a - b)).toEqual([1, 2, 5, 20, 20])
    const shown = server.asked.map(({ mentions }) => new Set(mentions.map(({ post }) => post.split(' ')[0])))
    for (const words of shown) expect(words.size).toBe(1)
  })

  test('never puts more characters into a question than it holds', async () => {
    await all(
      looking({ callsAtOnce: 1 }),
      Array.from({ length: 30 }, (_, at) => subjectFor(`acme ${at} ${'word '.repeat(390)}`)),
    )
    for (const { mentions } of server.asked)
      expect(mentions.reduce((sum, { post }) => sum + post.length, 0)).toBeLessThanOrEqual(24_000)
    expect(sizes().reduce((a, b) => a + b)).toBe(30)
  })

  test('never mixes workspaces, lets them take turns, and keeps to its number of calls', async () => {
    let now = 0
    let most = 0
    const order: string[] = []
    server.behave(async (asked) => {
      order.push(asked.mentions[0]!.post.split(' ')[1]!)
      now += 1
      most = Math.max(most, now)
      await new Promise((resolve) => setTimeout(resolve, 15))
      now -= 1
      return obedient(asked)
    })
    const of = (name: string, count: number) =>
      Array.from({ length: count }, (_, at) => subjectFor(`acme ${name} ${at}`, { workspaceId: uuidFromName(name) }))
    await all(looking({ callsAtOnce: 2 }), [...of('loud', 160), ...of('quiet', 3), ...of('other', 3)])
    expect(most).toBe(2)
    expect(sizes().reduce((a, b) => a + b)).toBe(166)
    // Whoever has much to ask waits for nobody, and nobody waits for it. Two calls that begin together may arrive in
    // either order.
    expect(order.slice(0, 4).sort()).toEqual(['loud', 'loud', 'other', 'quiet'])
    for (const { mentions } of server.asked)
      expect(new Set(mentions.map(({ post }) => post.split(' ')[1])).size).toBe(1)
  })

  test('asks about the same text in the same context once, and takes a kept verdict of the same model, version and workspace', async () => {
    const cache = cacheInMemory()
    const second = looking({ cache })
    expect(relevances(await all(second, [...posts(2), ...posts(2)]))).toEqual([83, 83, 83, 83])
    expect(sizes()).toEqual([2])
    expect(relevances(await all(second, posts(2)))).toEqual([83, 83])
    expect(sizes()).toEqual([2])
    expect(await counted('second_looks_total')).toEqual([
      'earshot_second_looks_total{outcome="answered"} 4',
      'earshot_second_looks_total{outcome="cached"} 2',
    ])
    // Whatever it is judged by is another question.
    const [post] = posts(1)
    for (const changed of [
      { ...post!, workspaceId: uuidFromName('another') },
      { ...post!, companyContext: 'Anvils' },
      { ...post!, keyword: { term: 'acme', kind: 'topic' as const } },
      { ...post!, marks: [{ relevant: false, sentiment: null, text: 'acme fruit' }] },
      { ...post!, post: { ...post!.post, platform: 'x' as const } },
    ])
      await all(second, [changed])
    expect(sizes()).toEqual([2, 1, 1, 1, 1, 1])
  })

  test.each(['openai', 'anthropic'] as const)(
    'sets the most that a call may cost aside and counts what it came to (%s)',
    async (provider) => {
      budget = budgetInMemory(10_000_000)
      let aside = 0
      server.behave((asked) => {
        aside = 10_000_000 - budget.left
        return obedient(asked)
      })
      await all(looking({ provider }), posts(3))
      expect(aside).toBeGreaterThan(Buffer.byteLength(server.asked[0]!.content) + 4 * 700)
      expect(budget.settled).toEqual([COST])
      expect(10_000_000 - budget.left).toBe(COST)
      expect(await counted('model_tokens_total')).toEqual([
        'earshot_model_tokens_total{direction="read"} 1000',
        'earshot_model_tokens_total{direction="written"} 200',
      ])
      expect(await counted('model_cost_dollars_total')).toEqual(['earshot_model_cost_dollars_total 0.0018'])
    },
  )

  test('rounds what a call costs up to the next millionth of a dollar', () => {
    expect(costOf(1, 0, { input: 150_000, output: 600_000 })).toBe(1)
    expect(costOf(1000, 200, { input: 150_000, output: 600_000 })).toBe(270)
    expect(costOf(5000, 5000, { input: 0, output: 0 })).toBe(0)
    expect(Number.isSafeInteger(costOf(3_000_000, 3_000_000, { input: 1e9, output: 1e9 }))).toBe(true)
  })

  test('asks nothing when the money is spent, counts that, and looks again ten seconds later', async () => {
    budget = budgetInMemory(0)
    const second = looking()
    expect(relevances(await all(second, posts(2)))).toEqual(['budget', 'budget'])
    budget.left = Number.MAX_SAFE_INTEGER
    expect(relevances(await all(second, posts(1)))).toEqual(['budget'])
    await clock.advance(10_000)
    expect(relevances(await all(second, posts(1)))).toEqual([83])
    expect(await counted('second_looks_total')).toEqual([
      'earshot_second_looks_total{outcome="budget"} 3',
      'earshot_second_looks_total{outcome="answered"} 1',
    ])
  })
})

describe('a language model that misbehaves', () => {
  test('and passes over some is asked for those once more, and then no more', async () => {
    server.behave((asked, count) => obedient(asked).slice(count === 1 ? 3 : 1))
    expect(relevances(await all(looking(), posts(5)))).toEqual(['no_answer', 83, 83, 83, 83])
    expect(sizes()).toEqual([5, 3])
    expect(budget.settled).toEqual([COST, COST])
  })

  test('and gives two verdicts on one, or some on others, moves none but its own', async () => {
    server.behave((asked) => {
      const [first, ...rest] = obedient(asked)
      return [first!, ...rest, { ...first!, relevance: 100 }, { ...first!, id: 'zzzz9' }]
    })
    expect(relevances(await all(looking(), posts(3)))).toEqual(['no_answer', 83, 83])
  })

  test('and answers nothing of use is asked a second time and counted', async () => {
    server.behave(() => [])
    expect(relevances(await all(looking(), posts(2)))).toEqual(['no_answer', 'no_answer'])
    expect(await counted('model_calls_total')).toEqual(['earshot_model_calls_total{outcome="useless"} 2'])
  })

  test.each([
    ['hangs', () => null, 2],
    [
      'is cut off in the middle',
      (response) =>
        void response.writeHead(200, { 'content-length': '500' }).write('{"choices"', () => response.destroy()),
      2,
    ],
    ['drips without end', (response) => void response.writeHead(200).write('{'), 2],
    ['answers garbage', (response) => void response.writeHead(200).end('<html>'), 1],
    ['refuses the key', (response) => void response.writeHead(401).end(), 1],
    ['asks to be left alone for long', (response) => void response.writeHead(429, { 'retry-after': '3600' }).end(), 1],
  ] as [string, (response: import('node:http').ServerResponse) => unknown, number][])(
    'and %s gives no answer, within its time',
    async (_, misbehave, questions) => {
      server.behave((__, ___, response) => {
        misbehave(response)
        return null
      })
      const beganMs = performance.now()
      expect(relevances(await all(looking({ timeoutMs: 250 }), posts(2)))).toEqual(['no_answer', 'no_answer'])
      expect(performance.now() - beganMs).toBeLessThan(5000)
      expect(budget.settled).toHaveLength(questions)
    },
  )

  test('and is overloaded for a moment is asked again after the time that it says', async () => {
    server.behave((asked, count, response) => {
      if (count > 2) return obedient(asked)
      response.writeHead(count === 1 ? 429 : 503, { 'retry-after': '0' }).end()
      return null
    })
    expect(relevances(await all(looking(), posts(2)))).toEqual([83, 83])
    expect(budget.settled).toEqual([COST])
  })

  test('and lets a call time out is counted with all that was set aside, one that refuses with nothing', async () => {
    budget = budgetInMemory(1e12)
    server.behave(() => null)
    await all(looking({ timeoutMs: 100 }), posts(1))
    expect(budget.settled.every((cost) => cost > COST)).toBe(true)
    budget.settled.length = 0
    server.behave((_, __, response) => {
      response.writeHead(403).end()
      return null
    })
    await all(looking(), posts(1))
    expect(budget.settled).toEqual([0])
  })

  test('and is paid for words of no use is counted with what it says it took', async () => {
    server.behave((_, __, response) => {
      const usage = { prompt_tokens: STAND_IN_USAGE.input, completion_tokens: STAND_IN_USAGE.output }
      response
        .writeHead(200)
        .end(JSON.stringify({ choices: [{ message: { content: 'Sure! They are all relevant.' } }], usage }))
      return null
    })
    expect(relevances(await all(looking(), posts(1)))).toEqual(['no_answer'])
    expect(budget.settled).toEqual([COST])
  })

  test.each([
    ['in a form that nobody knows', (response) => void response.writeHead(200).end('{"choices":"many"}')],
    ['garbage', (response) => void response.writeHead(200).end('<html>')],
    [
      'half of it',
      (response) =>
        void response.writeHead(200, { 'content-length': '500' }).write('{"choices"', () => response.destroy()),
    ],
  ] as [string, (response: import('node:http').ServerResponse) => void][])(
    'and answers %s is counted with all that was set aside, once for each question',
    async (_, misbehave) => {
      server.behave((__, ___, response) => {
        misbehave(response)
        return null
      })
      await all(looking(), posts(1))
      expect(budget.settled).toHaveLength(server.asked.length)
      expect(budget.settled.every((cost) => cost > COST)).toBe(true)
    },
  )

  test('and names figures that are none is counted with all that was set aside', async () => {
    server.behave((_, __, response) => {
      response.writeHead(200).end(
        JSON.stringify({
          choices: [{ message: { content: '{"verdicts":[]}' } }],
          usage: { prompt_tokens: -5, completion_tokens: 1e12 },
        }),
      )
      return null
    })
    await all(looking(), posts(1))
    expect(budget.settled.every((cost) => cost > COST)).toBe(true)
  })

  test('three times in a row is left alone for a minute, and then tried with one call', async () => {
    server.behave((_, __, response) => {
      response.writeHead(403).end()
      return null
    })
    const second = looking()
    for (let at = 0; at < 3; at += 1) await all(second, posts(1, at))
    expect(relevances(await all(second, posts(30)))).toEqual(Array(30).fill('no_answer'))
    expect(server.asked).toHaveLength(3)
    await clock.advance(REST_MS)
    let most = 0
    let now = 0
    server.behave(async (asked) => {
      now += 1
      most = Math.max(most, now)
      await new Promise((resolve) => setTimeout(resolve, 20))
      now -= 1
      return server.asked.length === 4 ? obedient(asked).slice(0, 0) : obedient(asked)
    })
    expect(relevances(await all(second, posts(45)))).toEqual(Array(45).fill('no_answer'))
    expect([server.asked.length, most]).toEqual([4, 1])
    await clock.advance(REST_MS)
    expect(relevances(await all(second, posts(45)))).toEqual(Array(45).fill(83))
  })

  test('that is slow keeps nobody waiting for more than two minutes, and takes no more than it can', async () => {
    server.behave(() => null)
    const second = looking({ callsAtOnce: 1, timeoutMs: 60_000 })
    const looked = await second.look(posts(WAITING_MENTIONS_MAX / 2 + 40), NEVER)
    expect(relevances(looked.filter((item) => !(item instanceof Promise)) as SecondVerdictResult[])).toEqual(
      Array(40).fill('busy'),
    )
    await eventually(() => expect(server.asked).toHaveLength(1))
    await clock.advance(WAIT_MAX_MS)
    const waited = await Promise.all(looked.slice(20, 60))
    expect(relevances(waited)).toEqual(Array(40).fill('busy'))
    for (const item of looked.slice(0, 20)) void (item as Promise<SecondVerdictResult>).catch(() => undefined)
  })
})

describe('a rush of one workspace', () => {
  const lookFor = (second: SecondVerdict, name: string, text: (at: number) => string, count: number) =>
    second.look(
      Array.from({ length: count }, (_, at) => subjectFor(text(at), { workspaceId: uuidFromName(name) })),
      NEVER,
    )
  const taken = (looked: readonly (SecondVerdictResult | Promise<SecondVerdictResult>)[]) => {
    const promised = looked.filter((item) => item instanceof Promise)
    for (const item of promised) void item.catch(() => undefined)
    return promised.length
  }

  test('leaves the others places to wait in', async () => {
    server.behave(() => null)
    const second = looking({ callsAtOnce: 1 })
    expect(taken(await lookFor(second, 'loud', (at) => `acme ${at}`, WAITING_MENTIONS_MAX))).toBe(
      WAITING_MENTIONS_MAX / 2,
    )
    expect(taken(await lookFor(second, 'quiet', (at) => `acme ${at}`, 50))).toBe(50)
  })

  test('of the same text takes places, too, and gives them back', async () => {
    let answer: () => void = () => undefined
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    server.behave(async (asked) => {
      await answered
      return obedient(asked)
    })
    const second = looking()
    const looked = await lookFor(second, 'loud', () => 'acme again and again', WAITING_MENTIONS_MAX)
    expect(taken(looked)).toBe(WAITING_MENTIONS_MAX / 2)
    answer()
    await Promise.all(looked)
    expect(server.asked).toHaveLength(1)
    expect(taken(await lookFor(second, 'loud', () => 'acme once more', WAITING_MENTIONS_MAX))).toBe(
      WAITING_MENTIONS_MAX / 2,
    )
  })
})

describe('when asking ends', () => {
  test('what waits is given up at once, and a call on its way has five seconds to come back', async () => {
    let answer: () => void = () => undefined
    server.behave(async (asked) => {
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      return obedient(asked)
    })
    const ending = new AbortController()
    const second = looking({ callsAtOnce: 1 })
    const looked = (await second.look(posts(40), ending.signal)) as Promise<SecondVerdictResult>[]
    const waiting = Promise.allSettled(looked.slice(20))
    await eventually(() => expect(server.asked).toHaveLength(1))
    ending.abort(new Error('over'))
    expect((await waiting).map(({ status }) => status)).toEqual(Array(20).fill('rejected'))
    await clock.advance(4900)
    answer()
    expect(relevances(await Promise.all(looked.slice(0, 20)))).toEqual(Array(20).fill(83))
    expect(budget.settled).toEqual([COST])
  })

  test('a call that does not come back in that time is cut off, its mentions get no verdict, and all that was set aside is counted', async () => {
    server.behave(() => null)
    const ending = new AbortController()
    const second = looking()
    const looked = Promise.allSettled(await second.look(posts(3), ending.signal))
    await eventually(() => expect(server.asked).toHaveLength(1))
    ending.abort()
    await clock.advance(5000)
    expect((await looked).map(({ status }) => status)).toEqual(Array(3).fill('rejected'))
    expect(server.asked).toHaveLength(1)
    expect(budget.settled[0]).toBeGreaterThan(COST)
  })

  test('closing cuts everything off, and nothing is asked after it', async () => {
    server.behave(() => null)
    const second = looking()
    const looked = Promise.allSettled(await second.look(posts(30), NEVER))
    await eventually(() => expect(server.asked.length).toBeGreaterThan(0))
    await second.close()
    expect((await looked).map(({ status }) => status)).toEqual(Array(30).fill('rejected'))
    await expect(second.look(posts(1), NEVER)).rejects.toThrow('closed')
  })

  test('closing while money is being set aside asks nothing more, and waits for nothing', async () => {
    let grant: () => void = () => undefined
    const granted = new Promise<void>((resolve) => {
      grant = resolve
    })
    const slow = {
      ...budget,
      reserve: async (...asked: Parameters<typeof budget.reserve>) => granted.then(() => budget.reserve(...asked)),
    }
    server.behave(() => null)
    const second = looking({ budget: slow, timeoutMs: 60_000 })
    const looked = Promise.allSettled(await second.look(posts(2), NEVER))
    const closed = second.close()
    grant()
    await closed
    expect((await looked).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(server.asked).toEqual([])
  })

  test('money that cannot be set aside because the database is away leaves mentions without any verdict', async () => {
    const away = { reserve: () => Promise.reject(new Error('away')), settle: async () => undefined }
    const looked = await Promise.allSettled(await looking({ budget: away }).look(posts(2), NEVER))
    expect(looked.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(server.asked).toEqual([])
  })

  test('a cost that cannot be counted, or a verdict that cannot be kept, costs no verdict', async () => {
    const broken = { reserve: budget.reserve.bind(budget), settle: () => Promise.reject(new Error('away')) }
    const cache = { find: async () => new Map(), keep: () => Promise.reject(new Error('away')) }
    expect(relevances(await all(looking({ budget: broken, cache }), posts(1)))).toEqual([83])
  })
})
