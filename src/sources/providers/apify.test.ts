import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ServedReply } from '../conformance.suite.ts'
import { type CollectContext, type Cost, QuotaReached, SourceFault } from '../contract.ts'
import type { ActorTask } from './actor-task.ts'
import { apify as portionsOf } from './apify.ts'
import { type Asked, AT, scripted } from './provided.suite.ts'

const TASK: ActorTask = {
  list: 'queries',
  wanted: ['one', 'two'],
  input: { window: 'week' },
  itemsPerEntry: 20,
  itemMicroUsd: 2000,
}
const OPTIONS = { token: 'token-1', actor: 'somebody/some-actor', dailyMicroUsd: 2_000_000 }
/** All items of all runs together. */
type RunActor = (context: CollectContext, task: ActorTask) => Promise<unknown[]>
function apify(options: typeof OPTIONS): RunActor {
  const run = portionsOf(options)
  return async (context, task) => {
    const items: unknown[] = []
    for await (const portion of run(context, task)) items.push(...portion)
    return items
  }
}

const LOST = new SourceFault('unavailable', 'no whole reply')

interface Run {
  id: string
  status: string
  startedAt: string
  input: Record<string, unknown>
  items: unknown[]
}

/** Apify as far as runs go: it keeps those that were started, whatever becomes of the reply. */
function world(runs: Run[] = []) {
  const state = {
    runs,
    reply: null as ServedReply | Error | null,
    status: 'SUCCEEDED',
    listing: null as ServedReply | null,
  }
  const json = (body: unknown, status = 200): ServedReply => ({ status, body: JSON.stringify(body) })
  function answer({ url, init }: Asked): ServedReply | Error {
    const [, kind, id] = url.pathname.match(/^\/v2\/(acts|key-value-stores|datasets)\/([^/]+)\//) ?? []
    if (kind === 'acts' && init.method === 'POST') {
      const input = JSON.parse(init.body ?? '') as Record<string, unknown>
      const items = (input['queries'] as string[]).map((query) => ({ query }))
      // Apify keeps the input with the actor's defaults in it.
      if (!refuses(state.reply)) {
        const id = `run${state.runs.length}`
        state.runs.unshift({
          id,
          status: state.status,
          startedAt: AT.toISOString(),
          input: { ...input, deep: false },
          items,
        })
      }
      return state.reply ?? json(items, 201)
    }
    const run = state.runs.find((run) => run.id === id?.slice(2))
    if (kind === 'acts') {
      const items = state.runs.map((run) => ({
        ...run,
        input: undefined,
        defaultDatasetId: `d_${run.id}`,
        defaultKeyValueStoreId: `k_${run.id}`,
      }))
      return state.listing ?? json({ data: { items } })
    }
    return kind === 'datasets' ? json(run?.items) : json(run?.input)
  }
  return { state, ...scripted(answer) }
}

const refuses = (reply: ServedReply | Error | null): boolean =>
  reply !== null && !(reply instanceof Error) && [400, 401, 402, 403, 404, 429].includes(reply.status ?? 200)
const refusal = (status: number, type: string, message = 'words'): ServedReply => ({
  status,
  body: JSON.stringify({ error: { type, message } }),
})
const entriesOf = (runs: readonly Run[]): unknown[] => runs.flatMap(({ input }) => input['queries'] as unknown[])
const posts = (asked: readonly Asked[]): Asked[] => asked.filter(({ init }) => init.method === 'POST')
/** What is left counted of a source's money. */
const counted = (asked: readonly Asked[], spent: readonly Cost[]): number =>
  asked.reduce((sum, { init }) => sum + (init.cost?.['microUsd'] ?? 0), 0) +
  spent.reduce((sum, cost) => sum + (cost['microUsd'] ?? 0), 0)
/** A budget that has so much left. */
const refusing =
  ({ fetch }: CollectContext, leftMicroUsd: number): CollectContext['fetch'] =>
  async (url, init) => {
    if ((init?.cost?.['microUsd'] ?? 0) > leftMicroUsd) throw new SourceFault('throttled', 'the day is used up')
    return await fetch(url, init)
  }
const earlier = (more: Partial<Run> = {}): Run => ({
  id: 'old',
  status: 'SUCCEEDED',
  startedAt: new Date(AT.getTime() - 600_000).toISOString(),
  input: { queries: ['one'], window: 'week' },
  items: [{ query: 'one' }],
  ...more,
})

describe('a run at Apify', () => {
  test('is started with the most that it may cost, which is taken before, and what it did not bring is given back', async () => {
    const { asked, spent, context } = world()
    expect(await apify(OPTIONS)(context, TASK)).toEqual([{ query: 'one' }, { query: 'two' }])
    const [listed, started] = asked
    expect(listed?.url.pathname).toBe('/v2/acts/somebody~some-actor/runs')
    expect(`${started?.url.pathname}${started?.url.search}`).toBe(
      '/v2/acts/somebody~some-actor/run-sync-get-dataset-items?timeout=110&clean=true&format=json&maxItems=40&maxTotalChargeUsd=0.090000',
    )
    expect(started?.init).toMatchObject({
      cost: { microUsd: 90_000 },
      timeoutMs: 125_000,
      headers: { authorization: 'Bearer token-1' },
    })
    expect(JSON.parse(started?.init.body ?? '')).toEqual({ window: 'week', queries: ['one', 'two'] })
    expect(counted(asked, spent)).toBe(10_000 + 2 * 2000)
  })

  test('never may cost more than the day', async () => {
    const { asked, context: rich } = world()
    await apify({ ...OPTIONS, dailyMicroUsd: 50_000 })(rich, TASK)
    expect(posts(asked)[0]?.url.searchParams.get('maxTotalChargeUsd')).toBe('0.050000')
    const none = world()
    const context = { ...none.context, fetch: refusing(none.context, 0) }
    await expect(apify({ ...OPTIONS, dailyMicroUsd: 0 })(context, TASK)).rejects.toMatchObject({ kind: 'throttled' })
    expect(posts(none.asked)).toEqual([])
  })

  test.each([
    ['in the same process', (run: RunActor) => run],
    ['after a restart', () => apify(OPTIONS)],
  ])('whose reply was lost is waited for and then read, %s, and not paid for again', async (_when, next) => {
    const { state, asked, spent, context } = world()
    Object.assign(state, { reply: LOST, status: 'RUNNING' })
    const first = apify(OPTIONS)
    await expect(first(context, TASK)).rejects.toBe(LOST)
    expect(counted(asked, spent), 'it may cost that much').toBe(90_000)
    state.reply = null
    await expect(next(first)(context, TASK)).rejects.toMatchObject({
      kind: 'unavailable',
      retryAfterSeconds: 60,
      onlyThis: true,
    })
    Object.assign(state.runs[0]!, { status: 'SUCCEEDED' })
    expect(await next(first)(context, TASK)).toEqual([{ query: 'one' }, { query: 'two' }])
    expect(posts(asked)).toHaveLength(1)
    expect(counted(asked, spent)).toBe(90_000)
  })

  test('that was asked for a part of what is wanted leaves only the rest to be paid for', async () => {
    const { asked, context } = world([earlier()])
    expect(await apify(OPTIONS)(context, TASK)).toEqual([{ query: 'one' }, { query: 'two' }])
    expect(posts(asked).map(({ init }) => JSON.parse(init.body ?? '').queries)).toEqual([['two']])
  })

  test('that has trouble does not withhold what others brought, which was paid for', async () => {
    const failed = earlier({ id: 'bad', status: 'FAILED', items: [], input: { queries: ['two'], window: 'week' } })
    const { asked, context } = world([failed, earlier()])
    const handed: unknown[] = []
    const all = async () => {
      for await (const portion of portionsOf(OPTIONS)(context, { ...TASK, wanted: ['one', 'two', 'three'] }))
        handed.push(...portion)
    }
    await expect(all()).rejects.toMatchObject({ kind: 'unavailable', onlyThis: true })
    expect(handed).toEqual([{ query: 'one' }, { query: 'three' }])
    expect(posts(asked).map(({ init }) => JSON.parse(init.body ?? '').queries)).toEqual([['three']])
  })

  test.each([
    ['more than an hour ago', { startedAt: new Date(AT.getTime() - 3_600_001).toISOString() }],
    ['for another window', { input: { queries: ['one', 'two'], window: 'day' } }],
    ['for something else', { input: { startUrls: ['one', 'two'] } }],
  ])('that was started %s answers nothing', async (_what, more) => {
    const { asked, context } = world([earlier(more)])
    await apify(OPTIONS)(context, TASK)
    expect(posts(asked).map(({ init }) => JSON.parse(init.body ?? '').queries)).toEqual([['one', 'two']])
  })

  test('that failed is not started again within its hour; what it found before it failed is taken', async () => {
    const nothing = world([earlier({ status: 'FAILED', items: [] })])
    await expect(apify(OPTIONS)(nothing.context, { ...TASK, wanted: ['one'] })).rejects.toMatchObject({
      kind: 'unavailable',
      retryAfterSeconds: 3000,
      onlyThis: true,
    })
    expect(posts(nothing.asked)).toEqual([])
    const something = world([earlier({ status: 'TIMED-OUT' })])
    expect(await apify(OPTIONS)(something.context, { ...TASK, wanted: ['one'] })).toEqual([{ query: 'one' }])
    expect(posts(something.asked)).toEqual([])
  })

  test('whose results are not there is trouble of that run alone, and not one of the token', async () => {
    const { state, asked, context } = world([earlier()])
    const fetch: CollectContext['fetch'] = async (url, init) =>
      url.includes('/datasets/')
        ? { status: 404, headers: {}, body: '{"error":{"type":"record-not-found","message":"x"}}' }
        : await context.fetch(url, init)
    await expect(apify(OPTIONS)({ ...context, fetch }, { ...TASK, wanted: ['one'] })).rejects.toMatchObject({
      kind: 'unavailable',
      onlyThis: true,
    })
    expect([posts(asked), state.runs.length]).toEqual([[], 1])
  })

  test('has less money when less is left of the day, down to ten items; other limits are waited for', async () => {
    const run = async (leftMicroUsd: number, daily = true) => {
      const { asked, spent, context } = world()
      const fetch: CollectContext['fetch'] = async (url, init) => {
        if ((init?.cost?.['microUsd'] ?? 0) > leftMicroUsd) throw new QuotaReached('used up', 3600, daily)
        return await context.fetch(url, init)
      }
      const failed = await apify(OPTIONS)({ ...context, fetch }, TASK).then(
        () => null,
        (error: unknown) => error,
      )
      return {
        charge: posts(asked)[0]?.url.searchParams.get('maxTotalChargeUsd') ?? null,
        counted: counted(asked, spent),
        failed,
      }
    }
    expect(await run(90_000)).toEqual({ charge: '0.090000', counted: 14_000, failed: null })
    expect(await run(50_000)).toEqual({ charge: '0.045000', counted: 14_000, failed: null })
    expect(await run(30_000)).toEqual({ charge: '0.030000', counted: 14_000, failed: null })
    expect(await run(29_999)).toMatchObject({ charge: null, counted: 0, failed: { daily: true } })
    expect(await run(50_000, false)).toMatchObject({ charge: null, failed: { daily: false } })
  })

  test('is not started below what the actor demands at least, whatever is left', async () => {
    const { state, asked, context } = world()
    state.reply = refusal(400, 'max-total-charge-usd-below-minimum', 'the allowed minimum of $0.05')
    const run = apify(OPTIONS)
    await expect(run(context, { ...TASK, wanted: ['one'], itemsPerEntry: 10 })).rejects.toMatchObject({
      kind: 'credentials',
    })
    const before = posts(asked).length
    const fetch: CollectContext['fetch'] = async (url, init) => {
      if ((init?.cost?.['microUsd'] ?? 0) > 49_999) throw new QuotaReached('used up', 3600, true)
      return await context.fetch(url, init)
    }
    await expect(run({ ...context, fetch }, TASK)).rejects.toMatchObject({ daily: true })
    expect(posts(asked)).toHaveLength(before)
  })

  test('is not started when its forerunners cannot be seen', async () => {
    for (const listing of [
      refusal(502, 'internal-error'),
      { body: '<html></html>' },
      { body: '{}' },
      { body: JSON.stringify({ data: { items: [{ id: 'x' }] } }) },
    ]) {
      const { state, asked, context } = world()
      state.listing = listing
      await expect(apify(OPTIONS)(context, TASK)).rejects.toBeInstanceOf(SourceFault)
      expect(posts(asked)).toEqual([])
    }
  })

  test('reads the input of an earlier run once', async () => {
    const { asked, context } = world([earlier({ input: { startUrls: [] } })])
    const run = apify(OPTIONS)
    for (let time = 0; time < 3; time += 1) await run(context, { ...TASK, wanted: ['one'] })
    expect(asked.filter(({ url }) => url.pathname.includes('k_old'))).toHaveLength(1)
  })

  test.each([
    ['credentials', 401, 'user-or-token-not-found'],
    ['credentials', 402, 'not-enough-usage-to-run-paid-actor'],
    ['credentials', 403, 'insufficient-permissions'],
    ['credentials', 404, 'record-not-found'],
    ['shape_changed', 400, 'invalid-input'],
    ['throttled', 402, 'actor-memory-limit-exceeded'],
    ['throttled', 403, 'concurrent-runs-limit-exceeded'],
    ['throttled', 429, 'rate-limit-exceeded'],
  ])('that is refused is %s (%i %s) and costs nothing', async (kind, status, type) => {
    const { state, asked, spent, context } = world()
    state.reply = refusal(status, type)
    await expect(apify(OPTIONS)(context, TASK)).rejects.toMatchObject({
      kind,
      message: expect.stringContaining('words'),
      onlyThis: false,
    })
    expect(counted(asked, spent)).toBe(0)
  })

  test.each([
    [400, 'run-failed'],
    [408, 'run-timeout-exceeded'],
    [502, 'internal-error'],
  ])('that may have been started in spite of the reply (%i %s) stays counted', async (status, type) => {
    const { state, asked, spent, context } = world()
    state.reply = refusal(status, type)
    await expect(apify(OPTIONS)(context, TASK)).rejects.toMatchObject({ kind: 'unavailable' })
    expect(counted(asked, spent)).toBe(90_000)
  })

  test('costs what the actor demands at least, as far as the day allows', async () => {
    const { state, asked, spent, context } = world()
    const demand = refusal(
      400,
      'max-total-charge-usd-below-minimum',
      'Maximum cost per run is less than the allowed minimum of $0.50',
    )
    const charges = () => posts(asked).map(({ url }) => url.searchParams.get('maxTotalChargeUsd'))
    state.reply = demand
    const run = apify(OPTIONS)
    await expect(run(context, TASK), 'refused twice').rejects.toMatchObject({ kind: 'credentials' })
    expect(charges()).toEqual(['0.090000', '0.500000'])
    expect(counted(asked, spent)).toBe(0)
    state.reply = null
    await run(context, TASK)
    expect(charges()).toEqual(['0.090000', '0.500000', '0.500000'])

    const poor = world()
    poor.state.reply = demand
    await expect(apify({ ...OPTIONS, dailyMicroUsd: 400_000 })(poor.context, TASK)).rejects.toMatchObject({
      kind: 'credentials',
    })
    expect(posts(poor.asked)).toHaveLength(1)
  })

  test('may say among its results what it did not find; nothing but errors is a failure', async () => {
    const items = async (reply: unknown[]) => {
      const { state, context } = world()
      state.reply = { status: 201, body: JSON.stringify(reply) }
      return await apify(OPTIONS)(context, TASK)
    }
    expect(await items([{ noResults: true }])).toEqual([])
    expect(await items([{ error: 'no_items', errorDescription: 'Empty' }])).toEqual([])
    expect(await items([{ error: 'blocked', errorDescription: null }, { id: 1 }])).toEqual([{ id: 1 }])
    await expect(items([{ error: 'blocked' }])).rejects.toMatchObject({ kind: 'unavailable' })
  })

  test('is never paid for twice within an hour, whatever goes wrong in between', async () => {
    const steps = fc.record({
      wanted: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 }),
      reply: fc.constantFrom<ServedReply | Error | null>(
        null,
        LOST,
        refusal(502, 'internal-error'),
        refusal(400, 'run-failed'),
        refusal(429, 'rate-limit-exceeded'),
      ),
      status: fc.constantFrom('RUNNING', 'SUCCEEDED', 'TIMED-OUT', 'FAILED'),
      restart: fc.boolean(),
      finished: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { maxLength: 12 }), async (polls) => {
        const { state, context } = world()
        let run = apify(OPTIONS)
        for (const { wanted, reply, status, restart, finished } of polls) {
          Object.assign(state, { reply, status })
          if (restart) run = apify(OPTIONS)
          if (finished) for (const item of state.runs) item.status = 'SUCCEEDED'
          await run(context, { ...TASK, wanted }).catch((error: unknown) => expect(error).toBeInstanceOf(SourceFault))
        }
        const paid = entriesOf(state.runs)
        expect(new Set(paid).size).toBe(paid.length)
      }),
      { numRuns: 100 },
    )
  })
})
