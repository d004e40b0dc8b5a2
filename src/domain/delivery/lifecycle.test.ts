import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  DELIVERY_TRANSITIONS,
  type DeliveryFacts,
  type DeliveryState,
  digestRetryUntil,
  MAX_ATTEMPTS,
  newDelivery,
  type Step,
  step,
  type Timing,
  type Trigger,
} from './lifecycle.ts'
import { DELIVERY_STATUSES, type DeliveryStatus } from './status.ts'

const at = new Date('2026-11-20T13:05:00.000Z')
const later = (ms: number) => new Date(at.getTime() + ms)
const facts: DeliveryFacts = { jitter: 0, channelEnabled: true, oversized: false, hasReplay: false }
const instant: Timing = { mode: 'instant' }

const TRIGGERS: { [Kind in Trigger['kind']]: Extract<Trigger, { kind: Kind }> } = {
  accepted: { kind: 'accepted', responseStatus: 204 },
  temporary_failure: { kind: 'temporary_failure', reason: 'status 503', responseStatus: 503, retryAfterSeconds: null },
  permanent_failure: { kind: 'permanent_failure', reason: 'status 410', responseStatus: 410 },
  defer: { kind: 'defer', until: later(7000), reason: 'the chat takes one message a second' },
  hold: { kind: 'hold', reason: 'email_hourly_limit' },
  cancel: { kind: 'cancel', reason: 'the channel was changed' },
  room: { kind: 'room' },
  retry: { kind: 'retry' },
  replay: { kind: 'replay' },
}

const inStatus = (status: DeliveryStatus, more: Partial<DeliveryState> = {}): DeliveryState => ({
  ...newDelivery(instant, at),
  status,
  nextAttemptAt: status === 'pending' ? at : null,
  ...more,
})
const summary = (result: Step) =>
  result.kind === 'moved'
    ? result.state.status
    : result.kind === 'created'
      ? 'new'
      : result.kind === 'refused'
        ? result.code
        : '-'
const moved = (result: Step): DeliveryState => {
  if (result.kind !== 'moved') throw new Error(`expected a move, got ${result.kind}`)
  return result.state
}

describe('every state and trigger', () => {
  const EXPECTED: Record<DeliveryStatus, Record<Trigger['kind'], string>> = {
    pending: {
      accepted: 'delivered',
      temporary_failure: 'pending',
      permanent_failure: 'failed',
      defer: 'pending',
      hold: 'held',
      cancel: 'cancelled',
      room: '-',
      retry: 'not_retryable',
      replay: 'not_replayable',
    },
    held: {
      accepted: '-',
      temporary_failure: '-',
      permanent_failure: '-',
      defer: '-',
      hold: '-',
      cancel: 'cancelled',
      room: 'pending',
      retry: 'pending',
      replay: 'not_replayable',
    },
    delivered: {
      accepted: '-',
      temporary_failure: '-',
      permanent_failure: '-',
      defer: '-',
      hold: '-',
      cancel: '-',
      room: '-',
      retry: 'not_retryable',
      replay: 'new',
    },
    failed: {
      accepted: '-',
      temporary_failure: '-',
      permanent_failure: '-',
      defer: '-',
      hold: '-',
      cancel: '-',
      room: '-',
      retry: 'pending',
      replay: 'new',
    },
    cancelled: {
      accepted: 'delivered',
      temporary_failure: '-',
      permanent_failure: '-',
      defer: '-',
      hold: '-',
      cancel: '-',
      room: '-',
      retry: 'not_retryable',
      replay: 'new',
    },
  }
  test.each(
    DELIVERY_STATUSES.flatMap((status) => Object.values(TRIGGERS).map((trigger) => [status, trigger.kind] as const)),
  )('%s, %s', (status, kind) => {
    expect(summary(step(inStatus(status), TRIGGERS[kind], facts, at))).toBe(EXPECTED[status][kind])
  })

  test('every line of the table is reached by some state', () => {
    const reached = new Set(
      DELIVERY_STATUSES.flatMap((status) =>
        Object.values(TRIGGERS).flatMap((trigger) =>
          [0, MAX_ATTEMPTS - 1].map((attempts) => {
            const result = step(inStatus(status, { attempts }), trigger, facts, at)
            return result.kind === 'moved' || result.kind === 'created'
              ? `${status} ${trigger.kind} ${result.kind === 'created' ? 'new delivery' : result.state.status}`
              : ''
          }),
        ),
      ),
    )
    for (const line of DELIVERY_TRANSITIONS)
      for (const from of line.from) expect(reached).toContain(`${from} ${line.on} ${line.to}`)
  })

  test('only a pending delivery has a next attempt, however the triggers come', () => {
    const trigger = fc.constantFrom(...Object.values(TRIGGERS))
    fc.assert(
      fc.property(
        fc.array(trigger, { maxLength: 30 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (triggers, jitter) => {
          let state = newDelivery(instant, at)
          for (const trigger of triggers) {
            const result = step(state, trigger, { ...facts, jitter }, at)
            if (result.kind === 'moved') state = result.state
            expect(state.nextAttemptAt !== null).toBe(state.status === 'pending')
            expect(state.attempts).toBeLessThanOrEqual(state.attemptLimit)
            expect(state.sentAt !== null).toBe(state.status === 'delivered')
          }
        },
      ),
    )
  })
})

describe('an instant delivery', () => {
  test('is tried five times, 30 seconds apart, and then fails with the last error', () => {
    let state = newDelivery(instant, at)
    const gaps: number[] = []
    for (let now = at; state.status === 'pending'; ) {
      state = moved(step(state, TRIGGERS.temporary_failure, facts, now))
      if (state.nextAttemptAt !== null) {
        gaps.push(state.nextAttemptAt.getTime() - now.getTime())
        now = state.nextAttemptAt
      }
    }
    expect(gaps).toEqual([30_000, 30_000, 30_000, 30_000])
    expect(state).toMatchObject({
      status: 'failed',
      attempts: 5,
      error: 'status 503',
      responseStatus: 503,
      nextAttemptAt: null,
    })
  })

  test('waits up to a tenth longer by the jitter it is handed', () => {
    const next = (jitter: number) =>
      moved(step(newDelivery(instant, at), TRIGGERS.temporary_failure, { ...facts, jitter }, at)).nextAttemptAt
    expect(next(1)).toEqual(later(33_000))
    expect(next(0.5)).toEqual(later(31_500))
  })

  test('waits as long as the receiver asks, but no shorter than usual and no longer than an hour', () => {
    const next = (retryAfterSeconds: number) =>
      moved(step(newDelivery(instant, at), { ...TRIGGERS.temporary_failure, retryAfterSeconds }, facts, at))
        .nextAttemptAt
    expect(next(0)).toEqual(later(30_000))
    expect(next(-5)).toEqual(later(30_000))
    expect(next(10)).toEqual(later(30_000))
    expect(next(120)).toEqual(later(120_000))
    expect(next(999_999_999)).toEqual(later(3_600_000))
  })

  test('is not tried again after a permanent failure, and records its status', () => {
    expect(moved(step(newDelivery(instant, at), TRIGGERS.permanent_failure, facts, at))).toMatchObject({
      status: 'failed',
      attempts: 1,
      responseStatus: 410,
      error: 'status 410',
    })
  })

  test('forgets its error when it is accepted', () => {
    const failedOnce = moved(step(newDelivery(instant, at), TRIGGERS.temporary_failure, facts, at))
    expect(moved(step(failedOnce, TRIGGERS.accepted, facts, later(30_000)))).toMatchObject({
      status: 'delivered',
      attempts: 2,
      error: null,
      responseStatus: 204,
      sentAt: later(30_000),
    })
  })

  test('has five attempts again after a retry, while the count goes on', () => {
    let state = moved(
      step(inStatus('failed', { attempts: 5, error: 'status 503', responseStatus: 503 }), TRIGGERS.retry, facts, at),
    )
    expect(state).toMatchObject({
      status: 'pending',
      attempts: 5,
      nextAttemptAt: at,
      error: null,
      responseStatus: null,
    })
    let rounds = 0
    while (state.status === 'pending') {
      state = moved(step(state, TRIGGERS.temporary_failure, facts, at))
      rounds += 1
    }
    expect([rounds, state.attempts]).toEqual([5, 10])
  })

  test('begins afresh as a replay', () => {
    const result = step(inStatus('delivered', { attempts: 3, sentAt: at }), TRIGGERS.replay, facts, later(1000))
    expect(result).toEqual({ kind: 'created', state: newDelivery(instant, later(1000)) })
  })

  test('keeps a long reason short', () => {
    expect(
      moved(step(newDelivery(instant, at), { ...TRIGGERS.cancel, reason: 'x'.repeat(10_000) }, facts, at)).error,
    ).toHaveLength(300)
  })
})

describe('asking for a delivery again', () => {
  test('is refused while the channel is off or when the content is too large', () => {
    for (const [status, trigger] of [
      ['failed', TRIGGERS.retry],
      ['held', TRIGGERS.retry],
      ['delivered', TRIGGERS.replay],
    ] as const) {
      expect(step(inStatus(status), trigger, { ...facts, channelEnabled: false }, at)).toEqual({
        kind: 'refused',
        code: 'channel_disabled',
      })
      expect(step(inStatus(status), trigger, { ...facts, oversized: true }, at)).toEqual({
        kind: 'refused',
        code: 'payload_too_large',
      })
    }
  })

  test('a digest is not retried after its window or when it was replayed, an instant delivery always', () => {
    const timing: Timing = { mode: 'daily', dueAt: at }
    const end = later(6 * 3_600_000)
    expect(summary(step(inStatus('failed', { timing }), TRIGGERS.retry, facts, end))).toBe('pending')
    expect(summary(step(inStatus('failed', { timing }), TRIGGERS.retry, facts, new Date(end.getTime() + 1)))).toBe(
      'digest_retry_expired',
    )
    expect(summary(step(inStatus('failed', { timing }), TRIGGERS.retry, { ...facts, hasReplay: true }, at))).toBe(
      'digest_has_replay',
    )
    expect(summary(step(inStatus('failed'), TRIGGERS.retry, { ...facts, hasReplay: true }, later(1e9)))).toBe('pending')
  })

  test('a replayed digest has a window of its own', () => {
    const result = step(
      inStatus('failed', { timing: { mode: 'weekly', dueAt: at } }),
      TRIGGERS.replay,
      facts,
      later(1e9),
    )
    expect(result).toMatchObject({ kind: 'created', state: { timing: { mode: 'weekly', dueAt: later(1e9) } } })
  })
})

describe('a digest', () => {
  const attemptsUntilFailed = (timing: Timing): [number, Date] => {
    let state = newDelivery(timing, at)
    let now = at
    while (state.status === 'pending') {
      now = state.nextAttemptAt!
      state = moved(step(state, TRIGGERS.temporary_failure, facts, now))
    }
    return [state.attempts, now]
  }

  test('is tried every five minutes for six hours', () => {
    expect(attemptsUntilFailed({ mode: 'daily', dueAt: at })).toEqual([73, later(6 * 3_600_000)])
    expect(attemptsUntilFailed({ mode: 'weekly', dueAt: at })).toEqual([73, later(6 * 3_600_000)])
  })

  test('of an hour is tried until 45 minutes past the next hour', () => {
    expect(attemptsUntilFailed({ mode: 'hourly', dueAt: at })).toEqual([21, new Date('2026-11-20T14:45:00.000Z')])
    expect(digestRetryUntil('hourly', new Date('2026-12-31T23:05:00.000Z'))).toEqual(
      new Date('2027-01-01T00:45:00.000Z'),
    )
  })

  test('fails when the receiver asks for more patience than its window has', () => {
    const asked: Trigger = { ...TRIGGERS.temporary_failure, retryAfterSeconds: 3600 }
    expect(moved(step(newDelivery({ mode: 'hourly', dueAt: at }, at), asked, facts, later(50 * 60_000))).status).toBe(
      'failed',
    )
  })
})
