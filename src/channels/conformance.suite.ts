import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Outgoing } from '../domain/delivery/envelope.ts'
import { isRefusal } from '../domain/refusal/refusal.ts'
import { type Sender, type SendResult, STOPPED } from './contract.ts'
import { type LocalReceiver, type Situation, startLocalReceiver } from './local-receiver.suite.ts'

/** Created anew for every test. */
export interface SenderFixture<Config, Request> {
  /** Waits at most `LIMIT_MS` for a reply. */
  sender: Sender<Config, Request>
  /** Stored settings with opened secrets of a channel to the suite's receiver. */
  stored: unknown
  /** Texts that no reason and no shown request may contain. */
  secrets: readonly string[]
  close(): Promise<void>
}

export const LIMIT_MS = 1200

export const SAMPLE: Outgoing = {
  kind: 'mention',
  id: 'dlv_01ksample',
  event: 'mention.matched',
  alerts: [{ id: 'feed_01ksample', name: 'Everything' }],
  data: {
    id: 'mtn_01ksample',
    keyword: { term: 'acme' },
    post: {
      platform: 'bluesky',
      url: 'https://bsky.app/profile/somebody.example/post/1',
      text: 'Grüße “quoted” 東京 👋 \u2028 <b>&amp;</b>',
      title: null,
      publishedAt: '2026-11-20T13:00:00.000Z',
    },
    author: null,
    review: null,
    classification: null,
  },
}
export const AT = new Date('2026-11-20T13:05:06.789Z')

/** The contract of every HTTP sender. `accept` writes the reply that accepts a delivery. */
export function senderConformance<Config, Request>(
  name: string,
  setUp: (receiver: LocalReceiver) => SenderFixture<Config, Request>,
  accept?: (response: ServerResponse) => void,
): void {
  describe(`${name}: the contract of senders`, () => {
    let receiver: LocalReceiver
    let fixture: SenderFixture<Config, Request>

    beforeEach(async () => {
      receiver = await startLocalReceiver(accept)
      fixture = setUp(receiver)
    })
    afterEach(async () => {
      await fixture.close()
      await receiver.close()
    })

    const request = (): Request => {
      const config = fixture.sender.readConfig(fixture.stored)
      if (isRefusal(config)) throw new Error(config.message)
      return fixture.sender.render(SAMPLE, config, AT)
    }
    const sendTo = async (situation: Situation, signal = new AbortController().signal): Promise<SendResult> => {
      receiver.play(situation)
      const result = await fixture.sender.send(request(), signal)
      for (const secret of fixture.secrets)
        expect(JSON.stringify({ ...result, replyExcerpt: null })).not.toContain(secret)
      expect(result.durationMs).toBeGreaterThanOrEqual(0)
      return result
    }

    test('a receiver that accepts gets the delivery once', async () => {
      expect(await sendTo({ kind: 'accepts' })).toMatchObject({ outcome: 'delivered' })
      expect(receiver.received).toHaveLength(1)
    })

    test('the same delivery at the same instant is the same request', () => {
      expect(fixture.sender.shown(request())).toEqual(fixture.sender.shown(request()))
    })

    test('what is shown of a request holds no secret', () => {
      const shown = JSON.stringify(fixture.sender.shown(request()))
      for (const secret of fixture.secrets) expect(shown).not.toContain(secret)
    })

    test('settings that cannot be read are refused, not thrown', () => {
      for (const stored of [null, undefined, 1, 'text', [], {}, { url: 1 }])
        expect(isRefusal(fixture.sender.readConfig(stored))).toBe(true)
    })

    test.each([408, 429, 500, 502, 503, 504, 599])('status %i is temporary and recorded', async (status) => {
      expect(await sendTo({ kind: 'answers', status })).toMatchObject({
        outcome: 'temporary',
        status,
        retryAfterSeconds: null,
      })
      expect(receiver.received).toHaveLength(1)
    })

    test.each([400, 401, 403, 404, 405, 410, 413, 422, 451])('status %i is permanent and recorded', async (status) => {
      expect(await sendTo({ kind: 'answers', status })).toMatchObject({ outcome: 'permanent', status })
    })

    test.each([300, 301, 302, 303, 304, 307, 308])(
      'a redirect with status %i is permanent and never followed',
      async (status) => {
        const elsewhere = await startLocalReceiver()
        expect(await sendTo({ kind: 'answers', status, headers: { location: elsewhere.url } })).toMatchObject({
          outcome: 'permanent',
          status,
        })
        expect(elsewhere.received).toHaveLength(0)
        await elsewhere.close()
      },
    )

    test.each([
      ['120', 120],
      ['0', 0],
      ['999999999', 3600],
      ['99999999999999999999', null],
      ['-1', null],
      ['1.5', null],
      ['banana', null],
      ['', null],
      ['Fri, 01 Jan 2100 00:00:00 GMT', 3600],
      ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
      ['Xyz, 99 Foo 2100 00:00:00 GMT', null],
    ])('Retry-After %j asks for %j seconds', async (header, retryAfterSeconds) => {
      expect(await sendTo({ kind: 'answers', status: 429, headers: { 'retry-after': header } })).toMatchObject({
        outcome: 'temporary',
        retryAfterSeconds,
      })
    })

    test.each(['silent', 'drips headers'] as const)(
      'a receiver that %s is given up at the time limit, and its connection is closed',
      async (kind) => {
        const result = await sendTo({ kind })
        expect(result).toMatchObject({ outcome: 'temporary', status: null, replyExcerpt: null })
        expect(result.durationMs).toBeGreaterThanOrEqual(LIMIT_MS - 5)
        expect(result.durationMs).toBeLessThan(LIMIT_MS * 4)
        await receiver.allClosed()
      },
    )

    test.each(['resets', 'closes', 'is no http server', 'headers without measure'] as const)(
      'a receiver that fits "%s" is a temporary failure',
      async (kind) => {
        expect(await sendTo({ kind })).toMatchObject({ outcome: 'temporary', status: null })
        await receiver.allClosed()
      },
    )

    test('a receiver that nobody runs is a temporary failure', async () => {
      const prepared = request()
      await receiver.close()
      expect(await fixture.sender.send(prepared, new AbortController().signal)).toMatchObject({
        outcome: 'temporary',
        status: null,
      })
    })

    test('an abort ends the attempt at once and closes its connection', async () => {
      const stop = new AbortController()
      receiver.play({ kind: 'silent' })
      const sending = fixture.sender.send(request(), stop.signal)
      await expect.poll(() => receiver.received.length).toBe(1)
      stop.abort()
      const result = await sending
      expect(result).toMatchObject({ outcome: 'temporary', reason: STOPPED, status: null })
      expect(result.durationMs).toBeLessThan(LIMIT_MS)
      await receiver.allClosed()
    })

    test('an attempt that was aborted before sends nothing', async () => {
      expect(await sendTo({ kind: 'accepts' }, AbortSignal.abort())).toMatchObject({
        outcome: 'temporary',
        reason: STOPPED,
      })
      expect(receiver.received).toHaveLength(0)
    })

    test('endless bodies are cut off early, whatever the status, however many', async () => {
      receiver.play({ kind: 'endless body', status: 500 })
      const none = new AbortController().signal
      const results = await Promise.all(Array.from({ length: 20 }, () => fixture.sender.send(request(), none)))
      for (const result of results) {
        expect(result).toMatchObject({ outcome: 'temporary', status: 500 })
        expect(Buffer.byteLength(result.replyExcerpt ?? '')).toBeLessThanOrEqual(2048)
        expect(result.durationMs).toBeLessThan(5000)
      }
      await receiver.allClosed()
      // The operating system's buffers accept some; a reader would have accepted an endless amount.
      expect(receiver.bytesWritten()).toBeLessThan(20 * 8 * 1024 * 1024)
    })
  })
}
