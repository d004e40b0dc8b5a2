import { describe, expect, test } from 'vitest'
import { createTestClock } from '../../test/clock.ts'
import { createMetrics } from '../../test/metrics.ts'
import { eventually } from '../../test/stand-ins/pipeline.ts'
import { createWorld } from '../../test/world.ts'
import type { Services } from '../commands/writing.ts'
import { MINUTE_MS, plus, SECOND_MS } from '../kernel/clock.ts'
import { createLog, type Log, silentLog } from '../kernel/log.ts'
import { takeJobTurn } from '../store/job-turns.ts'
import { type JobOptions, runJobs } from './run-jobs.ts'
import { type Job, SCHEDULE } from './schedule.ts'

/** A process that shares its schedule with nobody: every turn is its own. */
function alone(services: Services, log: Log): JobOptions {
  return {
    services,
    log,
    metrics: createMetrics(),
    turnOf: async (job, at) => ({ mine: true, dueAt: plus(at, job.everyMs) }),
  }
}

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
  const running = runJobs(made, alone(services, log), ending.signal)
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
    await runJobs([job], alone({ clock: createTestClock() } as unknown as Services, silentLog), AbortSignal.abort())
    expect(runs).toBe(0)
  })

  test('in hand are finished before the end', async () => {
    let finish: () => void = () => undefined
    let finished = false
    const job: Job = {
      name: 'slow',
      everyMs: 1000,
      run: () =>
        new Promise<void>((resolve) => {
          finish = () => {
            finished = true
            resolve()
          }
        }),
    }
    const ending = new AbortController()
    const clock = createTestClock()
    const running = runJobs([job], alone({ clock } as unknown as Services, silentLog), ending.signal)
    await clock.advance(0)
    ending.abort()
    finish()
    await running
    expect(finished).toBe(true)
  })
})

describe('jobs of several processes', () => {
  test('run once an interval, whichever process is there', async () => {
    const world = await createWorld()
    const { clock, services, db } = world
    const runs: string[] = []
    const process = (name: string) => {
      const job: Job = {
        name: 'shared',
        everyMs: MINUTE_MS,
        run: async () => void runs.push(name),
      }
      const ending = new AbortController()
      const options = {
        ...alone(services, silentLog),
        turnOf: (job: Job, at: Date) => takeJobTurn(db, job.name, job.everyMs, at),
      }
      return { ending, running: runJobs([job], options, ending.signal) }
    }
    const processes = ['one', 'two', 'three'].map(process)
    await eventually(() => expect(clock.waits).toBe(3))
    expect(runs).toHaveLength(1)
    await clock.advance(MINUTE_MS / 2)
    expect(runs).toHaveLength(1)
    await clock.advance(MINUTE_MS / 2)
    await eventually(() => expect([runs.length, clock.waits]).toEqual([2, 3]))
    // The process that had the last turn is gone: the others go on without it.
    const gone = processes[['one', 'two', 'three'].indexOf(runs[1]!)]!
    gone.ending.abort()
    await gone.running
    await clock.advance(MINUTE_MS)
    await eventually(() => expect([runs.length, clock.waits]).toEqual([3, 2]))
    expect(runs[2]).not.toBe(runs[1])
    for (const { ending } of processes) ending.abort()
    await Promise.all(processes.map(({ running }) => running))
    await world.close()
  })

  test('are due again at once when the clock was set back by more than an interval', async () => {
    const world = await createWorld()
    const at = world.clock.now()
    expect(await takeJobTurn(world.db, 'job', MINUTE_MS, plus(at, 60 * MINUTE_MS))).toMatchObject({ mine: true })
    expect(await takeJobTurn(world.db, 'job', MINUTE_MS, at)).toEqual({ mine: true, dueAt: plus(at, MINUTE_MS) })
    expect(await takeJobTurn(world.db, 'job', MINUTE_MS, at)).toEqual({ mine: false, dueAt: plus(at, MINUTE_MS) })
    await world.close()
  })
})

test('every run is counted and timed, and has a line that matters when it changed something', async () => {
  const clock = createTestClock()
  const lines: string[] = []
  const services = { clock } as unknown as Services
  const options = alone(services, createLog('debug', { write: (line: string) => void lines.push(line) }))
  const taking = (name: string, run: Job['run']): Job => ({ name, everyMs: MINUTE_MS, run })
  const jobs = [
    taking('busy', async () => {
      await clock.advance(1500)
      return 3
    }),
    taking('idle', async () => 0),
    taking('silent', async () => undefined),
    taking('failing', async () => {
      throw new Error('went wrong')
    }),
  ]
  const ending = new AbortController()
  const running = runJobs(jobs, options, ending.signal)
  await eventually(() => expect(clock.waits).toBe(4))
  ending.abort()
  await running
  const told = lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ event }) => event === 'job.done')
  expect(told.map(({ level, job, count }) => [level, job, count]).sort()).toEqual([
    ['debug', 'idle', 0],
    ['debug', 'silent', null],
    ['info', 'busy', 3],
  ])
  expect(told.find(({ job }) => job === 'busy')).toMatchObject({ ms: 1500 })
  const counted = (await options.metrics.jobs.get()).values.map(({ labels, value }) => [
    labels.job,
    labels.outcome,
    value,
  ])
  expect(counted.sort()).toEqual([
    ['busy', 'done', 1],
    ['failing', 'failed', 1],
    ['idle', 'done', 1],
    ['silent', 'done', 1],
  ])
  const seconds = (await options.metrics.jobSeconds.get()).values.find(
    ({ labels, metricName }) => labels.job === 'busy' && metricName?.endsWith('_sum'),
  )
  expect(seconds?.value).toBe(1.5)
})

test('every job of the schedule has a name of its own and an interval that does no harm', () => {
  expect(new Set(SCHEDULE.map(({ name }) => name)).size).toBe(SCHEDULE.length)
  for (const { name, everyMs } of SCHEDULE) {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/)
    // A run that finds nothing held for want of room is one step in an index.
    expect(everyMs).toBeGreaterThanOrEqual(name === 'release-waiting' ? 5 * SECOND_MS : MINUTE_MS)
  }
})
