import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { empty } from '../../test/rows.ts'
import { createMailServer } from '../../test/stand-ins/mail-server.ts'
import { until } from '../../test/until.ts'
import { useFreshWorld } from '../../test/use-world.ts'
import { queueMail } from '../commands/mail/queue-mail.ts'
import { countWaitingMails } from '../commands/mail/send-mails.ts'
import { HOUR_MS, MINUTE_MS, plus, SECOND_MS, systemClock } from '../kernel/clock.ts'
import { createLog, silentLog } from '../kernel/log.ts'
import type { MailOutcome } from '../kernel/mail.ts'
import { renderMetrics } from '../kernel/metrics.ts'
import { WORK_CHANNEL } from '../store/announcements.ts'
import { sql } from '../store/database.ts'
import { createMailStage, type MailStage, type MailStageOptions, mailTransportsOf, watchMails } from './mail.ts'
import { createMetrics } from './metrics.ts'

let sent: string[]
/** What the mail server says to a recipient; yes unless a test says otherwise. */
let answer: (to: string) => Promise<MailOutcome>
/** What is to happen when the transport is closed. */
let closed: () => void
let metrics: ReturnType<typeof createMetrics>
let running: { ending: AbortController; ended: Promise<void>; stage: MailStage }[]
const world = useFreshWorld()
beforeEach(() => {
  sent = []
  answer = async () => ({ outcome: 'sent' })
  closed = () => undefined
  metrics = createMetrics()
  running = []
})
afterEach(async () => {
  for (const { ending } of running) ending.abort()
  await Promise.all(running.map(({ ended }) => ended))
})

/** Sends as a process does that works, and hears what others leave unless told otherwise. */
function startProcess({ hears = true } = {}): (typeof running)[number] {
  const sending: MailStageOptions = {
    ...world.services,
    log: silentLog,
    metrics,
    mail: {
      async send({ to }) {
        const outcome = await answer(to)
        if (outcome.outcome === 'sent') sent.push(to)
        return outcome
      },
      close: async () => closed(),
    },
  }
  const ending = new AbortController()
  const stage = createMailStage(sending)
  if (hears) world.db.listen(WORK_CHANNEL, (kind) => kind === 'mails' && stage.wake(), stage.wake, ending.signal)
  const process = { ending, stage, ended: stage.run(ending.signal) }
  running.push(process)
  return process
}

/** All hands of so many processes sleep. */
const asleep = (processes: number) => until(() => world.clock.waits === 5 * processes)

async function leave(to: string): Promise<void> {
  const expiresAt = plus(world.clock.now(), 10 * MINUTE_MS)
  await world.db.transaction((tx) => queueMail(tx, world.services, { to, subject: 's', text: 't', expiresAt }))
}

test('a mail leaves as soon as it is committed, whichever process is there, and once', async () => {
  startProcess()
  startProcess()
  await asleep(2)
  for (const to of ['a@b.example', 'c@d.example']) await leave(to)
  await until(() => sent.length === 2)
  await asleep(2)
  expect(sent.sort()).toEqual(['a@b.example', 'c@d.example'])
})

test('a mail that was left before the start, or announced without being heard, is found', async () => {
  await leave('a@b.example')
  startProcess({ hears: false })
  await until(() => sent.length === 1)
  await asleep(1)
  await leave('c@d.example')
  await world.clock.advance(30 * SECOND_MS)
  await until(() => sent.length === 2)
})

test('a mail to a server that takes its time holds up no other', async () => {
  let release: () => void = () => undefined
  const slow = new Promise<void>((resolve) => {
    release = resolve
  })
  answer = async (to) => {
    if (to.startsWith('slow')) await slow
    return { outcome: 'sent' }
  }
  startProcess()
  await asleep(1)
  await leave('slow@b.example')
  await leave('quick@b.example')
  await until(() => sent.length === 1)
  expect(sent).toEqual(['quick@b.example'])
  release()
  await until(() => sent.length === 2)
})

test('a mail that was not taken is tried again when it is due, without being woken', async () => {
  let refusals = 0
  answer = async () => {
    refusals += 1
    return { outcome: 'temporary', reason: 'busy' }
  }
  startProcess({ hears: false })
  await asleep(1)
  await leave('a@b.example')
  await world.clock.advance(30 * SECOND_MS)
  await until(() => refusals === 1)
  await asleep(1)
  answer = async () => ({ outcome: 'sent' })
  await world.clock.advance(30 * SECOND_MS)
  await until(() => sent.length === 1)
})

test('the end waits for what is on the way, yet not for ever, and a mail that is cut off stays', async () => {
  let begun = 0
  answer = () => {
    begun += 1
    return new Promise<MailOutcome>(() => undefined)
  }
  const { ending, ended } = startProcess()
  await asleep(1)
  await leave('a@b.example')
  await until(() => begun === 1)
  let over = false
  void ended.then(() => {
    over = true
  })
  ending.abort()
  await until(() => world.clock.waits === 1)
  await world.clock.advance(5 * SECOND_MS - 1)
  expect(over).toBe(false)
  await world.clock.advance(1)
  // What does not answer to being cut off either is not waited for.
  await until(() => world.clock.waits === 1)
  await world.clock.advance(2 * SECOND_MS)
  await ended
  expect(await countWaitingMails(world.db, world.clock.now())).toBe(1)
})

test('what is cut off at the end is written down: it is not sent as if nothing had happened', async () => {
  let cut: (outcome: MailOutcome) => void = () => undefined
  let begun = 0
  answer = () => {
    begun += 1
    return new Promise<MailOutcome>((resolve) => {
      cut = resolve
    })
  }
  closed = () => cut({ outcome: 'unanswered', reason: 'the mail server cut the connection' })
  const { ending, ended } = startProcess()
  await asleep(1)
  await leave('a@b.example')
  await until(() => begun === 1)
  ending.abort()
  await until(() => world.clock.waits === 1)
  await world.clock.advance(5 * SECOND_MS)
  await ended
  const [row] = await world.db.query<{ unanswered: number; due: Date }>(
    sql`select unanswered, due_at as due from account_mail`,
  )
  expect(row).toEqual({ unanswered: 1, due: plus(world.clock.now(), 30 * SECOND_MS) })
})

test('no mail is taken once the end has begun, however long the ones on the way take', async () => {
  let release: (outcome: MailOutcome) => void = () => undefined
  let begun = 0
  answer = () => {
    begun += 1
    return new Promise<MailOutcome>((resolve) => {
      release = resolve
    })
  }
  const { ending, ended, stage } = startProcess()
  await asleep(1)
  await leave('a@b.example')
  await until(() => begun === 1)
  ending.abort()
  await leave('c@d.example')
  stage.wake()
  release({ outcome: 'sent' })
  await ended
  expect([sent, await countWaitingMails(world.db, world.clock.now())]).toEqual([['a@b.example'], 1])
})

test('attempts are counted by what they led to', async () => {
  answer = async (to) =>
    to.startsWith('no')
      ? { outcome: 'permanent', reason: 'unknown' }
      : to.startsWith('later')
        ? { outcome: 'temporary', reason: 'busy' }
        : { outcome: 'sent' }
  startProcess()
  await asleep(1)
  for (const to of ['a@b.example', 'no@b.example', 'later@b.example', 'c@b.example']) await leave(to)
  const counted = async () => (await renderMetrics(metrics)).match(/^earshot_mails_total.*$/gm)?.sort() ?? []
  await expect
    .poll(counted)
    .toEqual(
      ['given_up', 'retry', 'sent'].map(
        (outcome) => `earshot_mails_total{outcome="${outcome}"} ${outcome === 'sent' ? 2 : 1}`,
      ),
    )
})

describe('the watch over mails that wait', () => {
  let lines: string[]
  let ending: AbortController
  let watching: Promise<void>
  const waiting = async () => (await metrics.mailsWaiting.get()).values[0]!.value
  const watch = async (mail: MailStageOptions['mail']) => {
    lines = []
    ending = new AbortController()
    const log = createLog('error', { write: (line: string) => void lines.push(line) })
    watching = watchMails({ ...world.services, mail, log, metrics }, ending.signal)
    await look()
  }
  const look = () => until(() => world.clock.waits === 1)
  const pass = async (milliseconds: number) => {
    for (let at = 0; at < milliseconds; at += 30 * SECOND_MS) {
      await world.clock.advance(30 * SECOND_MS)
      await look()
    }
  }
  afterEach(async () => {
    ending.abort()
    await watching
  })
  const able = { send: async () => ({ outcome: 'sent' as const }), close: async () => undefined }

  test('shows how many', async () => {
    await watch(able)
    expect(await waiting()).toBe(0)
    await leave('a@b.example')
    await leave('c@d.example')
    await pass(30 * SECOND_MS)
    expect(await waiting()).toBe(2)
    expect(lines).toEqual([])
  })

  test('says once an hour of a process that cannot send that nobody does, and not at once: another may be about to', async () => {
    await watch(null)
    const expiresAt = plus(world.clock.now(), 5 * HOUR_MS)
    await world.db.transaction((tx) =>
      queueMail(tx, world.services, { to: 'a@b.example', subject: 's', text: 't', expiresAt }),
    )
    await pass(30 * SECOND_MS)
    expect(lines).toEqual([])
    await pass(30 * SECOND_MS)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('SMTP_URL')
    await pass(HOUR_MS - 30 * SECOND_MS)
    expect(lines).toHaveLength(1)
    await pass(30 * SECOND_MS)
    expect(lines).toHaveLength(2)
    await empty(world, 'account_mail')
    await pass(2 * HOUR_MS)
    expect(lines).toHaveLength(2)
  })

  test('of a process that can send says nothing, which logs its own troubles', async () => {
    await watch(able)
    await leave('a@b.example')
    await pass(5 * MINUTE_MS)
    expect(lines).toEqual([])
  })
})

test('a failure of the database is survived', async () => {
  startProcess()
  await asleep(1)
  await world.db.query(sql`alter table account_mail rename to away`)
  await world.clock.advance(30 * SECOND_MS)
  await until(() => world.clock.waits === 5)
  await world.db.query(sql`alter table away rename to account_mail`)
  await leave('a@b.example')
  await world.clock.advance(SECOND_MS)
  await until(() => sent.length === 1)
})

test('however much channels send at once, a mail about an account has a connection', async () => {
  const server = await createMailServer()
  const { accounts, channels } = mailTransportsOf(
    { mail: { smtpUrl: server.url, from: 'a@earshot.test' } },
    systemClock,
  )!
  try {
    let answerFirst: () => void = () => undefined
    server.waits = new Promise<void>((resolve) => {
      answerFirst = resolve
    })
    const mail = (id: string) => ({ to: `${id}@b.example`, subject: 's', text: 't', id })
    const many = Array.from({ length: 40 }, (_, at) => channels.send(mail(`c${at}`)))
    await until(() => server.handedOver === 5)
    server.waits = null
    expect(await accounts.send(mail('account'))).toEqual({ outcome: 'sent' })
    answerFirst()
    expect(new Set((await Promise.all(many)).map(({ outcome }) => outcome))).toEqual(new Set(['sent']))
  } finally {
    await accounts.close()
    await channels.close()
    await server.close()
  }
})
