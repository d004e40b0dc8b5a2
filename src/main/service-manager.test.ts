import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../kernel/clock.ts'
import { createLog, silentLog } from '../kernel/log.ts'
import { serviceManagerOf } from './service-manager.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-manager-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const around = { clock: systemClock, log: silentLog }

/** A `systemd-notify` that writes what it was told into a file. */
function standIn(): { environment: Record<string, string>; told(): string[] } {
  const [file, program] = [join(folder, 'told'), join(folder, 'systemd-notify')]
  writeFileSync(program, `#!/bin/sh\necho "$NOTIFY_SOCKET $*" >>'${file}'\n`)
  chmodSync(program, 0o755)
  return {
    environment: { PATH: `${folder}:${process.env['PATH']}`, NOTIFY_SOCKET: '/run/notify' },
    told: () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []),
  }
}

/** Rings at once, and notes how long it should have waited. */
function hurried() {
  const waits: number[] = []
  const wait = async (milliseconds: number, signal?: AbortSignal) => {
    waits.push(milliseconds)
    if (waits.length > 3) await systemClock.wait(2 ** 30, signal)
  }
  return { waits, clock: { ...systemClock, wait } }
}

test('says that the service is ready, and that it stops', async () => {
  const { environment, told } = standIn()
  const manager = serviceManagerOf(environment, around)
  await manager.ready('Running at http://localhost:4400')
  await manager.stopping()
  expect(told()).toEqual(['/run/notify READY=1 STATUS=Running at http://localhost:4400', '/run/notify STOPPING=1'])
})

test('runs nothing where no service manager listens', async () => {
  const { environment, told } = standIn()
  const manager = serviceManagerOf({ ...environment, NOTIFY_SOCKET: undefined }, around)
  await manager.ready('Running')
  await manager.stopping()
  expect(told()).toEqual([])
})

test('gives signs of life twice as often as the watchdog asks, until the stop', async () => {
  const { environment, told } = standIn()
  const { clock, waits } = hurried()
  const manager = serviceManagerOf({ ...environment, WATCHDOG_USEC: '60000000' }, { clock, log: silentLog })
  await manager.ready('Running')
  await expect.poll(() => told().length).toBe(4)
  await manager.stopping()
  expect(waits).toEqual([30_000, 30_000, 30_000, 30_000])
  expect(told().map((line) => line.split(' ')[1])).toEqual(['READY=1', ...Array(3).fill('WATCHDOG=1'), 'STOPPING=1'])
})

test.each([
  { WATCHDOG_USEC: '60000000', WATCHDOG_PID: '1' },
  { WATCHDOG_USEC: '0', WATCHDOG_PID: String(process.pid) },
])('gives no sign of life for %j', async (watchdog) => {
  const { environment, told } = standIn()
  const { clock, waits } = hurried()
  const manager = serviceManagerOf({ ...environment, ...watchdog }, { clock, log: silentLog })
  await manager.ready('Running')
  await manager.stopping()
  expect(waits).toEqual([])
  expect(told()).toHaveLength(2)
})

test('a system without systemd-notify gets a warning, and the service goes on', async () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line: string) => void lines.push(line) })
  await serviceManagerOf({ PATH: folder, NOTIFY_SOCKET: '/run/notify' }, { clock: systemClock, log }).ready('Running')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'warn', event: 'service.notify_failed' }])
})

const RECEIVER = `
import socket, sys
receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiver.bind(sys.argv[1])
print('ready', flush=True)
while True: print(receiver.recv(4096).decode().replace('\\n', '|'), flush=True)
`

function hasPrograms(): boolean {
  const folders = (process.env['PATH'] ?? '').split(':')
  return ['systemd-notify', 'python3'].every((program) => folders.some((at) => existsSync(join(at, program))))
}

// Node.js cannot receive datagrams of the file system either.
test.runIf(hasPrograms())('the real systemd-notify brings the messages to the socket', async () => {
  const socket = join(folder, 'notify')
  const receiver: ChildProcess = spawn('python3', ['-c', RECEIVER, socket], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const lines = createInterface({ input: receiver.stdout! })[Symbol.asyncIterator]()
    const next = async () => (await lines.next()).value
    expect(await next()).toBe('ready')
    const manager = serviceManagerOf({ PATH: process.env['PATH'], NOTIFY_SOCKET: socket }, around)
    const ready = manager.ready('Running at http://localhost:4400')
    expect(await next()).toBe('READY=1|STATUS=Running at http://localhost:4400')
    const stopping = manager.stopping()
    // systemd-notify ends when a second message has been read, or when it is refused.
    for (let message = await next(); message !== 'STOPPING=1'; ) message = await next()
    receiver.kill()
    await Promise.all([ready, stopping])
  } finally {
    receiver.kill('SIGKILL')
    if (receiver.exitCode === null && receiver.signalCode === null) await once(receiver, 'exit')
  }
})
