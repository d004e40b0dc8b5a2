import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTestClock } from '../../../test/clock.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import { newUuid } from '../../kernel/ids.ts'
import { ChannelHosts, HostPace } from './host-pace.ts'

const [A, B, C] = [newUuid(new Date(0)), newUuid(new Date(1)), newUuid(new Date(2))]

test('a host gets a burst of one second, then so many a second, and nothing is lost', async () => {
  const clock = createTestClock()
  const pace = new HostPace({ clock, perSecond: 10 })
  let gone = 0
  for (let number = 0; number < 40; number += 1) {
    const turn = pace.take('one.example', A)
    if (turn === null) gone += 1
    else
      void turn.then((admitted) => {
        if (admitted) gone += 1
      })
  }
  expect(gone).toBe(10)
  expect(pace.take('other.example', A)).toBeNull()
  for (let tenth = 0; tenth < 10; tenth += 1) await clock.advance(SECOND_MS / 10)
  expect(gone).toBe(20)
  for (let tenth = 0; tenth < 20; tenth += 1) await clock.advance(SECOND_MS / 10)
  expect(gone).toBe(40)
})

test('workspaces take turns, however much one of them has', async () => {
  const clock = createTestClock()
  const pace = new HostPace({ clock, perSecond: 1 })
  const order: string[] = []
  pace.take('one.example', A)
  for (let number = 0; number < 100; number += 1) void pace.take('one.example', A)?.then(() => order.push('a'))
  void pace.take('one.example', B)?.then(() => order.push('b'))
  void pace.take('one.example', C)?.then(() => order.push('c'))
  for (let second = 0; second < 4; second += 1) await clock.advance(SECOND_MS)
  expect(order).toEqual(['a', 'b', 'c', 'a'])
})

test('however requests come, no second has more than twice the rate, and no alarm is left at the end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 60 }), async (gaps) => {
      const clock = createTestClock()
      const pace = new HostPace({ clock, perSecond: 5 })
      const times: number[] = []
      const note = () => times.push(clock.monotonicMs())
      for (const gap of gaps) {
        const turn = pace.take('one.example', gap % 2 === 0 ? A : B)
        if (turn === null) note()
        else void turn.then(note)
        await clock.advance(gap)
      }
      while (times.length < gaps.length) await clock.advance(100)
      for (const [at, time] of times.entries())
        if (at >= 10) expect(time - times[at - 10]!).toBeGreaterThanOrEqual(SECOND_MS)
      expect(clock.waits).toBe(0)
    }),
    { numRuns: 50 },
  )
})

test('at the end whoever waits is told so, and so is whoever comes later', async () => {
  const clock = createTestClock()
  const pace = new HostPace({ clock, perSecond: 1 })
  pace.take('one.example', A)
  const waiting = pace.take('one.example', A)
  pace.end()
  expect([await waiting, await pace.take('one.example', B), clock.waits]).toEqual([false, false, 0])
})

test('only webhooks have a host, by their present address', () => {
  const hosts = new ChannelHosts()
  expect(hosts.of(A, { kind: 'slack', settings: '{}' })).toBeNull()
  expect(hosts.of(A, { kind: 'webhook', settings: '{"url":"https://hooks.example.com:8443/in"}' })).toBe(
    'hooks.example.com',
  )
  expect(hosts.of(A, { kind: 'webhook', settings: '{"url":"https://other.example/"}' })).toBe('other.example')
})
