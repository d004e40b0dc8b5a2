import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/database-server.ts'
import { type EarshotProcess, earshot } from '../../test/stand-ins/earshot-process.ts'
import { freePort } from '../../test/stand-ins/free-port.ts'
import { createMailServer } from '../../test/stand-ins/mail-server.ts'
import { SECRET_KEY, servicesOn } from '../../test/stand-ins/seeded.ts'
import { until } from '../../test/until.ts'
import { useFreshResource } from '../../test/use-world.ts'
import { queueMail } from '../commands/mail/queue-mail.ts'
import { MINUTE_MS, plus, systemClock } from '../kernel/clock.ts'
import { silentLog } from '../kernel/log.ts'
import { openDatabase, sql } from '../store/database.ts'

let database: TestDatabase
let dataDir: string
let started: EarshotProcess[]
let closing: (() => unknown)[]
beforeEach(async () => {
  database = await createTestDatabase()
})
const server = useFreshResource(() => createMailServer({ login: { user: 'earshot', password: 'p:%/@' } }))
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'earshot-mail-'))
  started = []
  closing = []
})
afterEach(async () => {
  for (const process of started) process.signal('SIGKILL')
  await Promise.all(started.map(({ ended }) => ended))
  for (const close of closing) close()
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

const environment = (more: Record<string, string> = {}) => ({
  DATABASE_URL: database.connection,
  EARSHOT_SECRET_KEY: SECRET_KEY,
  DATA_DIR: dataDir,
  EARSHOT_LOG_LEVEL: 'warn',
  SMTP_URL: server.url,
  MAIL_FROM: 'Ears <ears@earshot.example>',
  ...more,
})

async function startWorking(more: Record<string, string> = {}): Promise<EarshotProcess & { port: number }> {
  const port = await freePort()
  const process = earshot(['start', '--role', 'work'], environment({ PORT: String(port), ...more }))
  started.push(process)
  await process.says('Earshot is running')
  return { ...process, port }
}

/** What is done with the database of the installation by a process of its own. */
async function onDatabase<Answer>(work: (services: ReturnType<typeof servicesOn>) => Promise<Answer>): Promise<Answer> {
  const db = openDatabase({ connection: database.connection, log: silentLog })
  const services = servicesOn(db)
  try {
    return await work(services)
  } finally {
    await services.close()
    await db.close()
  }
}

/** Leaves mails as a process does that serves people. */
async function leave(...recipients: string[]): Promise<void> {
  const expiresAt = plus(systemClock.now(), 10 * MINUTE_MS)
  const mail = (to: string) => ({ to, subject: 'A link', text: 'Here.\n', expiresAt })
  await onDatabase((services) =>
    Promise.all(recipients.map((to) => services.db.transaction((tx) => queueMail(tx, services, mail(to))))),
  )
}

/** Leaves mails and answers how long it took until all had arrived, in milliseconds. */
async function leaveAndWait(...recipients: string[]): Promise<number> {
  const before = server.mails.length
  await leave(...recipients)
  const committedMs = systemClock.monotonicMs()
  await until(() => server.mails.length === before + recipients.length)
  return systemClock.monotonicMs() - committedMs
}

const rows = () =>
  onDatabase(({ db }) =>
    db.query<{ attempts: number; unanswered: number }>(
      sql`select attempts, unanswered from account_mail order by created_at`,
    ),
  )

/** Begins a request and never ends it, so that the interface takes all the time it has to close. */
async function stallRequest(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  closing.push(() => socket.destroy())
  await once(socket, 'connect')
  socket.write('POST /v1/health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n')
}

/** Resolves once the process takes nobody in any more: it has begun to end. */
async function refusesConnections(port: number): Promise<void> {
  await vi.waitFor(() => expect(fetch(`http://127.0.0.1:${port}/v1/health`)).rejects.toThrow(), {
    timeout: 5000,
    interval: 20,
  })
}

test('processes that work send what others leave, once and without delay, and doctor says that they can', {
  timeout: 60_000,
}, async () => {
  const working = await Promise.all([startWorking(), startWorking()])
  const first = await leaveAndWait('ann@receiver.example')
  // Only the looks of every 30 seconds would take longer than this allows on the slowest machine.
  expect(first).toBeLessThan(5000)
  await leaveAndWait(...Array.from({ length: 10 }, (_, at) => `p${at}@receiver.example`))
  expect(new Set(server.mails.map(({ to }) => to[0])).size).toBe(11)
  expect(server.mails[0]).toMatchObject({ from: 'ears@earshot.example', user: 'earshot', secure: true })
  const doctor = await earshot(['doctor'], environment()).ended
  expect(doctor.stdout).toMatch(
    new RegExp(
      `^Mail\\n {2}server +smtp://127\\.0\\.0\\.1:${server.port}, takes mail\\n {2}sender +Ears <ears@earshot.example>\\n.* 0$`,
      'm',
    ),
  )
  expect(doctor.stdout).not.toContain('p:%/@')
  for (const process of working) process.signal('SIGTERM')
  expect((await Promise.all(working.map(({ ended }) => ended))).map(({ code }) => code)).toEqual([0, 0])
})

test('doctor says what is in the way of mail', { timeout: 60_000 }, async () => {
  const wrong = await earshot(['doctor'], environment({ SMTP_URL: server.url.replace('earshot:', 'eve:') })).ended
  expect(wrong.code).toBe(1)
  expect(wrong.stdout).toMatch(
    /^1 problem:\n {2}- The mail server 127\.0\.0\.1:\d+ takes no mail: the mail server answered 535/,
  )
  expect(wrong.stdout).toContain(`smtp://127.0.0.1:${server.port}, the mail server answered 535 5.7.8 to AUTH PLAIN`)
  const none = await earshot(['doctor'], environment({ SMTP_URL: '' })).ended
  expect(none.code).toBe(0)
  expect(none.stdout).toContain('none: SMTP_URL is not set, and no mail is sent')
})

test('a process that works without a mail server says that mails wait', { timeout: 60_000 }, async () => {
  const overdue = plus(systemClock.now(), -2 * MINUTE_MS)
  await leave('ann@receiver.example')
  await onDatabase(({ db }) => db.query(sql`update account_mail set due_at = ${overdue}`))
  const process = await startWorking({ SMTP_URL: '', EARSHOT_LOG_LEVEL: 'error' })
  const metrics = async () => await (await fetch(`http://127.0.0.1:${process.port}/metrics`)).text()
  await vi.waitFor(async () => expect(await metrics()).toMatch(/^earshot_mails_waiting 1$/m), { timeout: 5000 })
  process.signal('SIGTERM')
  const { stderr } = await process.ended
  expect(stderr.split('\n').filter((line) => line.includes('SMTP_URL'))).toHaveLength(1)
})

describe('the end of a process with a mail on the wire', () => {
  test('lets it arrive, and takes no other mail meanwhile', { timeout: 60_000 }, async () => {
    let answer: () => void = () => undefined
    server.waits = new Promise<void>((resolve) => {
      answer = resolve
    })
    const process = await startWorking()
    await leave('ann@receiver.example')
    await until(() => server.handedOver === 1)
    await stallRequest(process.port)
    process.signal('SIGTERM')
    await refusesConnections(process.port)
    await leave('bob@receiver.example')
    answer()
    const { code, stderr } = await process.ended
    expect([code, stderr.trim().split('\n').length]).toEqual([0, 1])
    expect(server.mails.map(({ to }) => to)).toEqual([['ann@receiver.example']])
    expect(await rows()).toEqual([{ attempts: 0, unanswered: 0 }])
  })

  test('that nobody answers comes all the same, within ten seconds, and the mail is known to have been handed over', {
    timeout: 60_000,
  }, async () => {
    server.waits = new Promise(() => undefined)
    const process = await startWorking()
    await leave('ann@receiver.example')
    await until(() => server.handedOver === 1)
    await stallRequest(process.port)
    process.signal('SIGTERM')
    const askedMs = systemClock.monotonicMs()
    const { code, signal } = await process.ended
    // One wait of five seconds after the other would take ten.
    expect(systemClock.monotonicMs() - askedMs).toBeLessThan(9000)
    expect({ code, signal }).toEqual({ code: 0, signal: null })
    expect(await rows()).toEqual([{ attempts: 1, unanswered: 1 }])
  })
})
