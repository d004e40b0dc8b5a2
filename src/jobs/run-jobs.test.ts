import { describe, expect, test } from 'vitest'
import { createTestClock } from '../../test/clock.ts'
import type { Services } from '../commands/writing.ts'
import { MINUTE_MS } from '../kernel/clock.ts'
import { createLog } from '../kernel/log.ts'
import { runJobs } from './run-jobs.ts'
import { type Job, SCHEDULE } from './schedule.ts'

/** Jobs that count their runs, on a clock that the test moves. */
function setting(...jobs: { everyMs: number; fails?: boolean }[]) {
  const clock = createTestClock()
  const services = { clock } as unknown as Services
  const lines: string[] = []
  const log = createLog('info', { write: (line: string) => void lines.push(line) })
  const runs = jobs.map(() => 0)
  const made = jobs.map(
    ({ everyMs, fails }, at): Job => ({
      name: `job ${at}`,
      everyMs,
      async run(given) {
        expect(given).toBe(services)
        runs[at]! += 1
        if (fails) throw new Error('went wrong')
      },
    }),
  )
  const ending = new AbortController()
  const running = runJobs(made, services, log, ending.signal)
  return { clock, runs, lines, ending, running, settle: () => clock.advance(0) }
}

describe('jobs', () => {
  test('run at once and then each at its own interval', async () => {
    const { clock, runs, ending, running, settle } = setting({ everyMs: 1000 }, { everyMs: 2000 })
    await settle()
    expect(runs).toEqual([1, 1])
    await clock.advance(999)
    expect(runs).toEqual([1, 1])
    await clock.advance(1)
    expect(runs).toEqual([2, 1])
    await clock.advance(1000)
    expect(runs).toEqual([3, 2])
    ending.abort()
    await running
  })

  test('that fail are logged and come again, and hold up no other', async () => {
    const { clock, runs, lines, ending, running, settle } = setting({ everyMs: 1000, fails: true }, { everyMs: 1000 })
    await settle()
    await clock.advance(1000)
    expect(runs).toEqual([2, 2])
    const told = lines.map((line) => JSON.parse(line) as { level: string; job: string; err: { message: string } })
    expect(told.map(({ level, job, err }) => [level, job, err.message])).toEqual([
      ['error', 'job 0', 'went wrong'],
      ['error', 'job 0', 'went wrong'],
    ])
    ending.abort()
    await running
  })

  test('end with the signal and leave no wait behind', async () => {
    const { clock, runs, ending, running, settle } = setting({ everyMs: 1000 })
    await settle()
    expect(clock.waits).toBe(1)
    ending.abort()
    await running
    expect(clock.waits).toBe(0)
    await clock.advance(10_000)
    expect(runs).toEqual([1])
  })

  test('do not begin after the signal', async () => {
    let runs = 0
    const job: Job = {
      name: 'never',
      everyMs: 1,
      async run() {
        runs += 1
      },
    }
    await runJobs([job], { clock: createTestClock() } as unknown as Services, createLog('silent'), AbortSignal.abort())
    expect(runs).toBe(0)
  })

  test('in hand are finished before the end', async () => {
    let finish: () => void = () => undefined
    let finished = false
    const job: Job = {
      name: 'slow',
      everyMs: 1000,
      run: () =>
        new Promise((resolve) => {
          finish = () => {
            finished = true
            resolve()
          }
        }),
    }
    const ending = new AbortController()
    const running = runJobs([job], { clock: createTestClock() } as unknown as Services, createLog('silent'), ending.signal)
    ending.abort()
    finish()
    await running
    expect(finished).toBe(true)
  })
})

test('every job of the schedule has a name of its own and an interval that does no harm', () => {
  expect(new Set(SCHEDULE.map(({ name }) => name)).size).toBe(SCHEDULE.length)
  for (const { name, everyMs } of SCHEDULE) {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/)
    expect(everyMs).toBeGreaterThanOrEqual(MINUTE_MS)
  }
})
