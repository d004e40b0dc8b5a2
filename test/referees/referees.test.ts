import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'

interface Check {
  scenario: string
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO'
  errorMessage?: string
}
interface Result {
  code: number
  output: string
  errors: string
  timedOut: boolean
}
interface Verdicts {
  checksIn(folder: string): Check[]
  excusesIn(file: string): string[]
  verdictOf(
    result: Result,
    checks: readonly Check[],
    excuses: readonly string[],
  ): { passed: number; excused: number; failures: string[] }
}
const HERE = import.meta.dirname
const { checksIn, excusesIn, verdictOf } = (await import(join(HERE, 'verdict.mjs'))) as Verdicts

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-referees-test-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const ended = (code: number, output = ''): Result => ({ code, output, errors: '', timedOut: false })
const good: Check = { scenario: 'ping', id: 'ping', status: 'SUCCESS' }
const bad: Check = { scenario: 'prompts-list', id: 'prompts-list', status: 'FAILURE', errorMessage: 'no prompts' }

describe('the verdict on a run', () => {
  test('is good when all passed, and when what failed is excused', () => {
    expect(verdictOf(ended(0), [good], [])).toEqual({ passed: 1, excused: 0, failures: [] })
    expect(verdictOf(ended(0), [good, bad], ['prompts-list:prompts-list'])).toEqual({
      passed: 1,
      excused: 1,
      failures: [],
    })
  })

  test.each(['FAILURE', 'WARNING'] as const)(
    'is not good for a good end: a %s that nobody excused counts, beside others that somebody did',
    (status) => {
      const other: Check = { ...bad, id: 'another', status }
      expect(verdictOf(ended(0), [good, bad, other], ['prompts-list:prompts-list'])).toEqual({
        passed: 1,
        excused: 1,
        failures: [`${status} prompts-list:another: no prompts`],
      })
    },
  )

  test('excuses a check in its own scenario only', () => {
    expect(verdictOf(ended(0), [good, bad], ['prompts-get:prompts-list']).failures).toHaveLength(1)
  })

  test('says what the suite says of excuses that are not needed', () => {
    const output = 'Stale baseline entries (now passing - remove from baseline):\n  ✓ ping:ping\n'
    expect(verdictOf(ended(1, output), [good], ['ping:ping']).failures).toEqual(['excused but passed: ping:ping'])
  })

  test('is never good for a bad end, for nothing, or for a run that took too long', () => {
    expect(verdictOf(ended(1, 'it broke'), [good], []).failures).toEqual(['it broke'])
    expect(verdictOf(ended(0, 'nothing to do'), [], []).failures).toEqual(['nothing was checked: nothing to do'])
    expect(verdictOf({ ...ended(0), timedOut: true }, [good], []).failures).toHaveLength(1)
  })

  test('does not count what no revision requires, for better or worse', () => {
    const along: Check[] = [
      { scenario: 'tasks-lifecycle', id: 'a', status: 'FAILURE' },
      { scenario: 'server-sse-polling', id: 'b', status: 'SUCCESS' },
    ]
    expect(verdictOf(ended(0), [good, ...along], [])).toEqual({ passed: 1, excused: 0, failures: [] })
  })
})

test('checks are read with the scenario of their folder, and excuses as the files have them', () => {
  for (const [name, checks] of [
    ['server-server-stateless-2026-11-21T20-29-57-233Z', [{ id: 'one', status: 'SUCCESS' }]],
    ['server-ping-2026-11-21T20-29-58-001Z', [{ id: 'two', status: 'INFO' }]],
  ] as const) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'checks.json'), JSON.stringify(checks))
  }
  expect(checksIn(folder)).toEqual([
    { scenario: 'ping', id: 'two', status: 'INFO' },
    { scenario: 'server-stateless', id: 'one', status: 'SUCCESS' },
  ])
  const excuses = excusesIn(join(HERE, 'excuses', 'product.yaml'))
  expect(excuses).toContain('server-sse-multiple-streams:server-sse-multiple-streams-session')
  expect(excuses).toHaveLength(readFileSync(join(HERE, 'excuses', 'product.yaml'), 'utf8').match(/^ +- /gm)!.length)
})

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s while the programs are installed ends everything',
  { timeout: 30_000 },
  async (signal) => {
    cpSync(HERE, join(folder, 'referees'), { recursive: true, filter: (path) => !path.includes('node_modules') })
    symlinkSync(join(HERE, '..', '..', 'node_modules'), join(folder, 'node_modules'))
    // Stands in for npm: says who it is, and takes for ever.
    const pidFile = join(folder, 'pid')
    writeFileSync(
      join(folder, 'npm'),
      `#!/bin/sh\necho $$ > ${pidFile}.new && mv ${pidFile}.new ${pidFile}\nexec sleep 300\n`,
      { mode: 0o755 },
    )
    const run = spawn(process.execPath, [join(folder, 'referees', 'run.mjs')], {
      env: { PATH: `${folder}:${process.env['PATH']}` },
    })
    onTestFinished(() => void run.kill('SIGKILL'))
    let output = ''
    run.stdout.on('data', (part: Buffer) => {
      output += part
    })
    await vi.waitFor(() => expect(existsSync(pidFile)).toBe(true), { timeout: 15_000 })
    run.kill(signal)
    const [code] = await once(run, 'close')
    expect(code).toBe(1)
    expect(output).toContain(`ended by ${signal}`)
    const pid = Number(readFileSync(pidFile, 'utf8'))
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(/ESRCH/), { timeout: 5000 })
  },
)
