import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FAKES_ARE_THERE, startFakes, type VendorFakes } from '../../../test/stand-ins/vendor-fakes.ts'
import { createWorld, PUBLIC_URL, type TestWorkspace, type World } from '../../../test/world.ts'
import { createTelegram } from '../../channels/telegram/telegram.ts'

describe.skipIf(!FAKES_ARE_THERE)('with the stand-in of others', () => {
  let fakes: VendorFakes
  let world: World
  let acme: TestWorkspace
  beforeAll(async () => {
    fakes = await startFakes({ TG_ALLOW_HTTP: '1' })
    const { url } = fakes
    const { tgToken } = (await control('config')) as { tgToken: string }
    world = await createWorld({
      telegram: (clock) =>
        createTelegram({
          token: tgToken,
          apiUrl: `${url}/telegram`,
          webhookSecret: null,
          publicUrl: PUBLIC_URL,
          clock,
        }),
    })
    acme = await world.workspace('Acme')
    expect(await world.services.telegram!.receiveAt(`${world.origin}/hooks/telegram`)).toBeNull()
  })
  afterAll(async () => {
    await world?.close()
    fakes?.stop()
  })

  const control: VendorFakes['control'] = (path, body) => fakes.control(path, body)

  const sentTo = async (chatId: number): Promise<string[]> =>
    (await control('state')).telegram
      .find(({ chat }: { chat: { id: number } }) => chat.id === chatId)
      .sent.map(({ text }: { text: string }) => text)
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
    await control('telegram/chat', {
      id: -1001234567890123,
      state: { chat: { ...chat, id: -1001234567890123 }, sent: [] },
    })
    expect((await outcome(id)).error).toBe('the group has a new id')
    expect(await outcome(id)).toMatchObject({ ok: true })
    expect(await sentTo(-1001234567890123)).toHaveLength(1)
    await control('telegram/chat', { id: -1001234567890123, state: { kicked: true } })
    expect((await outcome(id)).error).toBe('the bot was blocked or removed from the chat')
    expect(await shown(id)).toMatchObject({ enabled: false, config: { chatId: '-1001234567890123' } })
  })
})
