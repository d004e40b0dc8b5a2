import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isRunning } from '../../src/store/embedded/processes.ts'
import { eventually } from '../../test/stand-ins/pipeline.ts'

let folder: string
let environment: Record<string, string>

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-benches-'))
  environment = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', TMPDIR: folder }
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a benchmark that is ended leaves no database server and no file', async () => {
  const args = ['scripts/bench.mjs', 'scheduler']
  const child = spawn(process.execPath, args, { env: environment, stdio: 'ignore' })
  const ended = once(child, 'exit')
  await eventually(() => serverIn(folder), { withinMs: 60_000 })
  const server = serverIn(folder)
  child.kill('SIGTERM')
  await ended
  expect([isRunning(server), readdirSync(folder)]).toEqual([false, []])
}, 90_000)

test('what a killed run left is removed by the next one, and not what a living one needs', () => {
  const { pid: ended } = spawnSync(process.execPath, ['--version'])
  const [left, needed] = [`earshot-bench-run-${ended}-abc`, `earshot-bench-run-${process.pid}-abc`]
  for (const name of [left, needed]) mkdirSync(join(folder, name, 'files'), { recursive: true })
  const { status } = spawnSync(process.execPath, ['scripts/bench.mjs', 'no-such-bench'], { env: environment })
  expect([status, readdirSync(folder)]).toEqual([1, [needed]])
})

/** The process of the database server below a folder; throws while there is none. */
function serverIn(folder: string): number {
  const file = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((path) =>
    path.endsWith('/postmaster.pid'),
  )
  if (file === undefined) throw new Error('no server yet')
  const pid = Number.parseInt(readFileSync(join(folder, file), 'utf8'), 10)
  if (pid < 0) throw new Error('the server is still made')
  return pid
}
