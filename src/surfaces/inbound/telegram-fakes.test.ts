import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, type TestWorkspace, type World } from '../../../test/world.ts'
import { createTelegram } from '../../channels/telegram/telegram.ts'

/** A stand-in of Telegram by other people, checked with libraries for bots; it may not be at hand. */
const FAKES = join(import.meta.dirname, '../../../../shared/vendors/vendor-fakes.mjs')

describe.skipIf(!existsSync(FAKES))('with the stand-in of others', () => {
  let fakes: ChildProcess
  let url: string
  let world: World
  let acme: TestWorkspace
  beforeAll(async () => {
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    fakes = spawn(process.execPath, [FAKES, String(port)], { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, TG_ALLOW_HTTP: '1' } })
    await once(fakes.stdout!, 'data')
    const { tgToken } = (await control('config')) as { tgToken: string }
    world = await createWorld({ telegram: (clock) => createTelegram({ token: tgToken, apiUrl: `${url}/telegram`, webhookSecret: null, clock }) })
    acme = await world.workspace('Acme')
    expect(await world.services.telegram!.receiveAt(`${world.origin}/hooks/telegram`)).toBeNull()
  })
  afterAll(async () => {
    await world?.close()
    fakes.kill()
  })

  // biome-ignore lint/suspicious/noExplicitAny: what the stand-in knows is read freely
  async function control(path: string, body?: object): Promise<any> {
    const headers = { 'content-type': 'application/json' }
    return (await fetch(`${url}/_ctl/${path}`, body === undefined ? {} : { method: 'POST', body: JSON.stringify(body), headers })).json()
  }
  const sentTo = async (chatId: number): Promise<string[]> =>
    (await control('state')).telegram.find(({ chat }: { chat: { id: number } }) => chat.id === chatId).sent.map(({ text }: { text: string }) => text)
  const made = async (): Promise<{ id: string; token: string }> => {
    const { body } = await acme.api('POST', '/v1/channels', { kind: 'telegram' })
    return { id: body.id, token: new URL(body.config.connectUrl).searchParams.get('start')! }
  }
  const outcome = async (id: string) => (await acme.api('POST', `/v1/channels/${id}/test`)).body.outcomes[0]
  const shown = async (id: string) => (await acme.api('GET', `/v1/channels/${id}`)).body

  test('a chat connects itself and is written to, and only by who knows the secret', async () => {
    const { id, token } = await made()
    const text = `/start ${token}`
    expect(await control('telegram/message', { text, badSecret: true })).toMatchObject([{ status: 401 }])
    expect(await control('telegram/message', { text, dup: true })).toMatchObject([{ status: 200 }, { status: 200 }])
    expect(await shown(id)).toMatchObject({ label: 'Ann', config: { chatId: '42', chatType: 'private' } })
    expect(await outcome(id)).toEqual({ channelId: id, ok: true, error: null })
    expect(await sentTo(42)).toEqual([expect.stringContaining('connected'), expect.stringContaining('This is a test')])
  })

  test('a group that moves and then shuts the bot out', async () => {
    const { id, token } = await made()
    const chat = { id: -100, type: 'group', title: 'Team' }
    await control('telegram/message', { chat, text: `/start ${token}` })
    await control('telegram/chat', { id: -100, state: { migrated: -1001234567890123 } })
    await control('telegram/chat', { id: -1001234567890123, state: { chat: { ...chat, id: -1001234567890123 }, sent: [] } })
    expect((await outcome(id)).error).toBe('the group has another id now')
    expect(await outcome(id)).toMatchObject({ ok: true })
    expect(await sentTo(-1001234567890123)).toHaveLength(1)
    await control('telegram/chat', { id: -1001234567890123, state: { kicked: true } })
    expect((await outcome(id)).error).toBe('the bot was blocked or removed from the chat')
    expect(await shown(id)).toMatchObject({ enabled: false, config: { chatId: '-1001234567890123' } })
  })
})

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
