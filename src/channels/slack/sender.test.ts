import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { useFreshResource } from '../../../test/use-world.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { systemClock } from '../../kernel/clock.ts'
import { hashOf } from '../../kernel/secrets.ts'
import { AT, LIMIT_MS, SAMPLE, senderConformance } from '../conformance.suite.ts'
import { type LocalReceiver, startLocalReceiver } from '../local-receiver.suite.ts'
import { createSlackApi } from './api.ts'
import { createSlackSender } from './sender.ts'

const TOKEN = 'xoxb-a-token-of-the-team'
const stored = { teamId: 'T1', channelId: 'C1', channelName: 'general', secret: TOKEN }

function fixtureFor({ url }: Pick<LocalReceiver, 'url'>) {
  const api = createSlackApi({ url: new URL('/api/', url).href, clock: systemClock, limitMs: LIMIT_MS })
  return {
    sender: createSlackSender({ api, clock: systemClock, publicUrl: 'https://earshot.test' }),
    stored,
    secrets: [TOKEN],
    close: api.close,
  }
}

const json = (body: object) => JSON.stringify(body)
senderConformance('slack', fixtureFor, (response) =>
  response.end(json({ ok: true, ts: '1.1', message: { text: 'x'.repeat(50_000) } })),
)

describe('what Slack says', () => {
  let fixture: ReturnType<typeof fixtureFor>
  const receiver = useFreshResource(startLocalReceiver)
  beforeEach(() => {
    fixture = fixtureFor(receiver)
  })
  afterEach(() => fixture.close())
  const answeredWith = async (body: string, headers: Record<string, string> = {}) => {
    receiver.play({ kind: 'answers', status: 200, headers: { 'content-type': 'application/json', ...headers }, body })
    const config = fixture.sender.readConfig(stored)
    if (isRefusal(config)) throw new Error(config.message)
    const result = await fixture.sender.send(fixture.sender.render(SAMPLE, config, AT), new AbortController().signal)
    expect(json({ ...result, replyExcerpt: null })).not.toContain(TOKEN)
    return result
  }

  test('is asked with the token in the header alone, once, by its own library', async () => {
    expect(await answeredWith(json({ ok: true }))).toMatchObject({
      outcome: 'delivered',
      status: 200,
      learned: { worthlessToken: null },
    })
    const [got, ...more] = receiver.received
    expect([got!.method, got!.path, got!.headers.authorization, more.length]).toEqual([
      'POST',
      '/api/chat.postMessage',
      `Bearer ${TOKEN}`,
      0,
    ])
    const form = new URLSearchParams(got!.body.toString())
    expect(Object.fromEntries(form)).toMatchObject({
      channel: 'C1',
      parse: 'none',
      link_names: 'false',
      unfurl_links: 'false',
      unfurl_media: 'false',
    })
    expect(form.toString()).not.toContain(TOKEN)
  })

  test.each(['invalid_auth', 'token_revoked', 'account_inactive', 'token_expired', 'not_authed'])(
    '%s is for good, and tells which token is worth nothing',
    async (error) => {
      const result = await answeredWith(json({ ok: false, error }))
      expect(result).toMatchObject({
        outcome: 'permanent',
        reason: expect.stringContaining('connect Slack again'),
        status: 200,
      })
      expect(result.learned).toEqual({ worthlessToken: hashOf(TOKEN), isBusy: false })
    },
  )

  test.each([
    ['not_in_channel', 'invite it'],
    ['channel_not_found', 'does not exist'],
    ['is_archived', 'archived'],
    ['missing_scope', 'may not post'],
    ['invalid_blocks', 'invalid_blocks'],
    ['a_word_of_tomorrow', 'a_word_of_tomorrow'],
  ])('%s is for good and says what to do', async (error, reason) => {
    expect(await answeredWith(json({ ok: false, error }))).toMatchObject({
      outcome: 'permanent',
      reason: expect.stringContaining(reason),
      learned: { worthlessToken: null },
    })
  })

  test.each(['ratelimited', 'internal_error', 'fatal_error', 'service_unavailable'])('%s passes', async (error) => {
    expect(await answeredWith(json({ ok: false, error }), { 'retry-after': '7' })).toMatchObject({
      outcome: 'temporary',
      retryAfterSeconds: 7,
    })
  })

  test('asks for patience with status 200 too, which the channel is told', async () => {
    expect(await answeredWith(json({ ok: false, error: 'ratelimited' }))).toMatchObject({ learned: { isBusy: true } })
    expect(await answeredWith(json({ ok: false, error: 'internal_error' }))).toMatchObject({
      learned: { isBusy: false },
    })
  })

  test.each([
    ['no JSON', '<html>Sign in to the hotel’s network</html>'],
    ['nothing', ''],
    ['JSON of somebody else', '{"message":"hello"}'],
    ['a word that is none', json({ ok: false, error: 'xoxb-other <script>' })],
    ['a list', '[]'],
    ['null', 'null'],
  ])('%s counts as no answer, and none of it is repeated', async (_, body) => {
    expect(await answeredWith(body)).toMatchObject({
      outcome: 'temporary',
      reason: 'the reply is not from Slack',
      status: 200,
    })
  })

  test('a channel without a token is refused in words for people', () => {
    const refused = fixture.sender.readConfig({ ...stored, secret: undefined })
    expect(isRefusal(refused) && refused.message).toBe('Slack is no longer connected to the workspace')
  })
})
