import { beforeEach, describe, expect, test } from 'vitest'
import { useFreshWorkspace, useWorkspace, useWorld } from '../../../test/use-world.ts'
import { PUBLIC_URL } from '../../../test/world.ts'
import { DAY_MS, MINUTE_MS } from '../../kernel/clock.ts'
import { newSecret } from '../../kernel/secrets.ts'

interface Inbox {
  id: string
  url: string
}

let inbox: Inbox
const world = useWorld()
const other = useWorkspace(world, 'Other')
beforeEach(() => world.clock.advance(MINUTE_MS))
const acme = useFreshWorkspace(world, 'Acme')
beforeEach(async () => {
  inbox = await create('Trial')
})

async function create(name: string): Promise<Inbox> {
  return (await acme.api('POST', '/v1/inspections', { name })).body
}

const read = (id = inbox.id, workspace = acme) => workspace.api('GET', `/v1/inspections/${id}`)
const requests = async () => (await read()).body.requests
const createChannel = (url: string, more: object = {}) =>
  acme.api('POST', '/v1/channels', { kind: 'webhook', url, ...more })
const post = (url: string, body = '{}', init: RequestInit = {}) =>
  fetch(url.replace(PUBLIC_URL, world.origin), {
    method: 'POST',
    body,
    ...init,
    headers: { 'content-type': 'application/json', ...(init.headers as object) },
  })

describe('a channel that leads to an inbox', () => {
  test('delivers the signed request, which the workspace reads', async () => {
    const channel = await createChannel(inbox.url, { headers: { Authorization: 'Bearer of-a-customer' } })
    expect(channel.status).toBe(201)
    const { body } = await acme.api('POST', `/v1/channels/${channel.body.id}/test`)
    expect(body.outcomes).toEqual([{ channelId: channel.body.id, ok: true, error: null }])
    const [request, ...older] = await requests()
    expect(older).toEqual([])
    expect(request).toMatchObject({
      receivedAt: world.clock.now().toISOString(),
      method: 'POST',
      signature: 'valid',
      channelId: channel.body.id,
      truncated: false,
      bodyBytes: Buffer.byteLength(request.body),
    })
    expect(JSON.parse(request.body)).toMatchObject({ event: 'test' })
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'x-mentions-signature-v2': expect.stringMatching(/^v2=[0-9a-f]{64}$/),
      authorization: '(hidden)',
    })
  })

  test('may be moved to another inbox, and to no private address', async () => {
    const { id } = (await createChannel(inbox.url)).body
    const move = (url: string) => acme.api('PATCH', `/v1/channels/${id}`, { url })
    const refused = await move('http://10.0.0.1/inspect/x')
    expect([refused.status, refused.body.error.code]).toEqual([400, 'validation_error'])
    expect((await move((await create('Next')).url)).status).toBe(200)
  })

  test('fails as at any receiver when the inbox has ended', async () => {
    const { id } = (await createChannel(inbox.url)).body
    await world.clock.advance(DAY_MS)
    const { body } = await acme.api('POST', `/v1/channels/${id}/test`)
    expect(body.outcomes).toEqual([{ channelId: id, ok: false, error: 'status 404' }])
    expect((await read()).status).toBe(404)
  })
})

describe('a request from elsewhere', () => {
  test('is stored and has no valid signature', async () => {
    expect((await post(inbox.url, 'Something')).status).toBe(200)
    await createChannel(inbox.url)
    await post(inbox.url, 'More', { headers: { 'x-mentions-timestamp': '1', 'x-mentions-signature-v2': 'v2=ab' } })
    expect((await requests()).map(({ body, signature }: Record<string, string>) => [body, signature])).toEqual([
      ['More', 'invalid'],
      ['Something', 'unknown'],
    ])
  })

  test('shows no values of foreign headers, and its answer repeats nothing', async () => {
    const answer = await post(inbox.url, 'A secret', { headers: { cookie: 'a=b', 'x-api-key': 'value' } })
    expect(await answer.json()).toEqual({ received: true })
    const [{ headers }] = await requests()
    expect([headers.cookie, headers['x-api-key']]).toEqual(['(hidden)', '(hidden)'])
  })

  test('is cut after 64 KiB, and refused above 1 MiB', async () => {
    await post(inbox.url, `${'é'.repeat(33 * 1024)}`)
    const [{ body, bodyBytes, truncated }] = await requests()
    expect([Buffer.byteLength(body), bodyBytes, truncated]).toEqual([64 * 1024, 66 * 1024, true])
    expect((await post(inbox.url, 'a'.repeat(1024 * 1024 + 1))).status).toBe(413)
  })

  test('is one of at most 60 a minute, of which the newest 20 stay', async () => {
    for (let sent = 0; sent < 60; sent += 1) expect((await post(inbox.url, String(sent))).status).toBe(200)
    const refused = await post(inbox.url)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    const bodies = (await requests()).map(({ body }: { body: string }) => Number(body))
    expect(bodies).toEqual(Array.from({ length: 20 }, (_, at) => 59 - at))
    await world.clock.advance(MINUTE_MS)
    expect((await post(inbox.url)).status).toBe(200)
  })

  test('reaches no inbox by a wrong token or another method', async () => {
    expect((await post(inbox.url.slice(0, -1))).status).toBe(404)
    expect((await post(inbox.url.replace(/ein_.*/, newSecret('ein').text))).status).toBe(404)
    expect((await post(inbox.url, undefined, { method: 'PUT' })).status).toBe(405)
    expect((await fetch(inbox.url.replace(PUBLIC_URL, world.origin))).status).toBe(405)
  })
})

test('another workspace reads nothing, and its secrets are not tried', async () => {
  await post(inbox.url)
  expect((await read(inbox.id, other)).status).toBe(404)
  const foreign = await other.api('POST', '/v1/channels', { kind: 'webhook', url: inbox.url })
  await other.api('POST', `/v1/channels/${foreign.body.id}/test`)
  expect((await requests())[0]).toMatchObject({ signature: 'unknown', channelId: null })
})
