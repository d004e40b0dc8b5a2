import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { json, refused, type ScriptedAnswer, scriptedFetch } from '../../test/scripted-fetch.ts'
import { type Client, type ClientOptions, createClient, EarshotError, type Retry } from './index.ts'

const PAGE = { data: [], nextCursor: null }

function clientOf(answers: ScriptedAnswer[], options: Partial<ClientOptions> = {}) {
  const script = scriptedFetch(...answers)
  const retries: Retry[] = []
  const client = createClient({
    url: 'https://earshot.example.com/',
    apiKey: 'ref_1',
    fetch: script.fetch,
    onRetry: (retry) => retries.push(retry),
    ...options,
  })
  return { client, requests: script.requests, waits: () => retries.map(({ waitMs }) => waitMs) }
}

const create = (client: Client) => client.createKeyword({ term: 'acme', kind: 'brand' })

beforeEach(() => {
  vi.useFakeTimers().setTimerTickMode('nextTimerAsync')
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a request', () => {
  test('has its parts where the operation takes them, and the key', async () => {
    const { client, requests } = clientOf([json({})])
    await client.replayDelivery({ id: 'dlv_1/2', channelId: 'dest_1', requestId: 'r' })
    expect([requests[0]!.method, requests[0]!.url, await requests[0]!.text()]).toEqual([
      'POST',
      'https://earshot.example.com/v1/deliveries/dlv_1%2F2/replay?channelId=dest_1',
      '{"requestId":"r"}',
    ])
    expect(requests[0]!.headers.get('authorization')).toBe('Bearer ref_1')
  })

  test('repeats the parameter of a list and encodes groups of conditions', async () => {
    const { client, requests } = clientOf([json(PAGE)])
    await client.listMentions({ platforms: ['reddit', 'bluesky'], relevant: true, anyOf: [{ minRelevance: 80 }] })
    expect([...new URL(requests[0]!.url).searchParams]).toEqual([
      ['platforms', 'reddit'],
      ['platforms', 'bluesky'],
      ['relevant', 'true'],
      ['anyOf', '[{"minRelevance":80}]'],
    ])
  })

  test('without a part of its path is not sent', async () => {
    const { client, requests } = clientOf([])
    await expect(client.getMention({ id: '' })).rejects.toThrow(new TypeError('id: is required'))
    expect(requests).toEqual([])
  })

  test.each(['@evil.example/v1/whoami', '//evil.example/v1/whoami', 'v1/whoami', ''])(
    'to %j is not sent, because the path would change the address',
    async (path) => {
      const { client, requests } = clientOf([])
      await expect(client.request({ path })).rejects.toThrow(new TypeError('path: must begin with exactly one /'))
      expect(requests).toEqual([])
    },
  )

  test('needs the address of an installation', () => {
    expect(() => createClient({ url: 'earshot.example.com' })).toThrow('is no http or https address')
  })
})

describe('a failed request', () => {
  test('waits as long as Retry-After says', async () => {
    const { client, waits } = clientOf([refused(429, 'rate_limited', { 'retry-after': '7' }), json(PAGE)])
    await client.listMentions()
    expect(waits()).toEqual([7000])
  })

  test('waits longer each time where nobody says how long, and gives up after the repetitions', async () => {
    const gone = () => new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })
    const { client, waits, requests } = clientOf([gone(), gone(), gone(), gone()], { retries: 3 })
    const outcome = await client.getWallet().outcome()
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: 'no_answer', message: 'https://earshot.example.com cannot be reached (ECONNREFUSED).' },
    })
    expect(requests).toHaveLength(4)
    for (const [at, most] of [500, 1000, 2000].entries()) {
      expect(waits()[at]).toBeGreaterThanOrEqual(most * 0.75)
      expect(waits()[at]).toBeLessThanOrEqual(most)
    }
  })

  test('is not waited for longer than the caller allows', async () => {
    const { client, waits } = clientOf([refused(429, 'rate_limited', { 'retry-after': '90' })])
    await expect(client.getWallet()).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 90 })
    expect(waits()).toEqual([])
  })

  test('is repeated under one requestId where it creates something', async () => {
    const { client, requests } = clientOf([refused(500, 'internal_error'), json({}, 201)])
    await create(client)
    const [first, second] = await Promise.all(requests.map((request) => request.json() as Promise<object>))
    expect(first).toEqual({ term: 'acme', kind: 'brand', requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) })
    expect(second).toEqual(first)
  })

  test.each([
    ['a lasting refusal', (client: Client) => create(client), refused(409, 'duplicate_keyword')],
    ['a lasting 503', (client: Client) => client.getSlack(), refused(503, 'slack_not_configured')],
    [
      'what may have been done',
      (client: Client) => client.rotateSecret({ id: 'dest_1' }),
      refused(500, 'internal_error'),
    ],
    [
      'a change of a version',
      (client: Client) => client.updateFilters({ ifVersion: 1 }),
      refused(500, 'internal_error'),
    ],
  ])('is not repeated: %s', async (_, call, answer) => {
    const { client, requests } = clientOf([answer])
    await expect(call(client)).rejects.toBeInstanceOf(EarshotError)
    expect(requests).toHaveLength(1)
  })

  test('that was not begun is repeated, whatever it does', async () => {
    const { client, requests } = clientOf([refused(429, 'rate_limited', { 'retry-after': '1' }), json({})])
    await client.rotateSecret({ id: 'dest_1' })
    expect(requests).toHaveLength(2)
  })

  test('that deleted something before its answer was lost has succeeded', async () => {
    const { client } = clientOf([new TypeError('fetch failed'), refused(404, 'not_found')])
    expect(await client.deleteKeyword({ id: 'kw_1' })).toBeUndefined()
  })

  test.each([
    ['at once', []],
    ['after an answer that says that nothing was done', [refused(429, 'rate_limited', { 'retry-after': '1' })]],
    ['with another key', [refused(401, 'unauthorized')]],
  ])('of a deletion of nothing says so: %s', async (_, before) => {
    const { client } = clientOf([...before, refused(404, 'not_found')], { apiKey: () => 'ref_1' })
    await expect(client.deleteKeyword({ id: 'kw_1' })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('of any other request keeps its answer, although it deletes', async () => {
    const { client } = clientOf([new TypeError('fetch failed'), refused(404, 'not_found')])
    const asked = client.request({ method: 'DELETE', path: '/v1/keywords/kw_1' })
    await expect(asked).rejects.toMatchObject({ code: 'not_found' })
  })

  test('is repeated as often after a new key', async () => {
    const failures = [refused(401, 'unauthorized'), refused(500, 'internal_error'), refused(500, 'internal_error')]
    const { client } = clientOf([...failures, json({})], { apiKey: () => 'ref_1' })
    expect(await client.whoami()).toEqual({})
  })

  test('asks once for another key', async () => {
    const refusals: (string | null)[] = []
    const apiKey = (last: string | null) => `${refusals.push(last)}`
    const { client, requests } = clientOf(
      [refused(401, 'unauthorized'), json({}), refused(401, 'unauthorized'), refused(401, 'unauthorized')],
      { apiKey },
    )
    await client.whoami()
    await expect(client.whoami()).rejects.toMatchObject({ code: 'unauthorized' })
    expect(refusals).toEqual([null, '1', null, '3'])
    expect(requests.map(({ headers }) => headers.get('authorization'))).toEqual(
      ['1', '2', '3', '4'].map((key) => `Bearer ${key}`),
    )
  })
})

const never = (signal: AbortSignal) =>
  new Promise<Response>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

describe('an answer that does not come', () => {
  test('ends with the limit of the attempt', async () => {
    const { client } = clientOf([never], { retries: 0, timeoutMs: 5000 })
    await expect(client.whoami()).rejects.toMatchObject({ code: 'timed_out', isPassing: true })
  })

  test('ends with the signal of the caller, whose reason is thrown', async () => {
    const { client, requests } = clientOf([never])
    const leaving = new AbortController()
    const asked = client.whoami({}, { signal: leaving.signal })
    leaving.abort(new Error('I left'))
    await expect(asked).rejects.toThrow('I left')
    expect(requests.length).toBeLessThanOrEqual(1)
  })

  test('ends while the client waits', async () => {
    const { client, requests } = clientOf([refused(429, 'rate_limited', { 'retry-after': '50' })], {
      onRetry: () => leaving.abort(new Error('I left')),
    })
    const leaving = new AbortController()
    await expect(client.whoami({}, { signal: leaving.signal })).rejects.toThrow('I left')
    expect(requests).toHaveLength(1)
  })
})

describe('an error', () => {
  test('has what the service says', async () => {
    const details = [{ field: 'term', reason: 'is required' }]
    const { client } = clientOf([refused(400, 'validation_error', {}, { details })])
    const outcome = await create(client).outcome()
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: 'validation_error', status: 400, requestId: 'req_1', details },
    })
  })

  test('names the existing object of a duplicate', async () => {
    const { client } = clientOf([refused(409, 'duplicate_keyword', {}, { existingId: 'kw_1' })])
    const outcome = await create(client).outcome()
    if (outcome.ok || outcome.error.code !== 'duplicate_keyword') throw new Error('another outcome')
    expect(outcome.error.existingId).toBe('kw_1')
  })

  test('with a code of a newer service keeps that code', async () => {
    const { client } = clientOf([refused(409, 'too_new')])
    await expect(client.whoami()).rejects.toMatchObject({
      code: 'unknown_code',
      unknownCode: 'too_new',
      isPassing: false,
    })
  })

  test('of something else than Earshot says so, and a gateway is asked again', async () => {
    const { client, requests } = clientOf([
      new Response('<h1>Bad gateway</h1>', { status: 502 }),
      new Response('<h1>Not here</h1>', { status: 404 }),
    ])
    await expect(client.whoami()).rejects.toMatchObject({ code: 'unreadable_answer', status: 404 })
    expect(requests).toHaveLength(2)
  })

  test.each([
    ['a page', () => new Response('<h1>Sign in</h1>', { headers: { 'content-type': 'text/html' } })],
    ['JSON that breaks off', () => new Response('{"a":', { headers: { 'content-type': 'application/json' } })],
    ['nothing', () => new Response('')],
  ])('says that %s with status 200 is not from Earshot', async (_, answer) => {
    const { client } = clientOf([answer(), answer(), answer()])
    const expected = { code: 'unreadable_answer', status: 200, isPassing: false }
    await expect(client.whoami()).rejects.toMatchObject(expected)
    await expect(client.exportMentionsJson()).rejects.toMatchObject(expected)
  })

  test('says that a page in the place of a text or of a list is not from Earshot', async () => {
    const page = new Response('<h1>Sign in</h1>', { headers: { 'content-type': 'text/html; charset=utf-8' } })
    const { client } = clientOf([page, json({ data: null })])
    await expect(client.exportMentionsCsv()).rejects.toMatchObject({ code: 'unreadable_answer' })
    await expect(client.listMentions().pages().next()).rejects.toMatchObject({ code: 'unreadable_answer' })
  })

  test('has nothing of a form that is not documented', async () => {
    const wrong = { requestId: 5, retryAfterSeconds: 'soon', existingId: [], details: [null, { field: 'term' }] }
    const { client } = clientOf([json({ error: { code: 'validation_error', message: 'no', ...wrong } }, 400)])
    await expect(client.whoami()).rejects.toMatchObject({
      code: 'validation_error',
      requestId: null,
      retryAfterSeconds: null,
      existingId: null,
      details: [],
    })
  })

  test('of a redirect names the target', async () => {
    const { client } = clientOf([new Response(null, { status: 301, headers: { location: 'https://other.example' } })])
    await expect(client.whoami()).rejects.toThrow('redirects to https://other.example')
  })
})
