import { foldEmail } from '../../domain/account/account.ts'
import { MINUTE_MS, plus, SECOND_MS } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { MAIL_LIMIT_MS, type MailOutcome } from '../../kernel/mail.ts'
import { suppress } from '../../store/channel/suppressions.ts'
import { type Reader, sql, type Transaction } from '../../store/database.ts'
import type { Services } from '../writing.ts'
import { boundTo, type QueuedMail } from './queue-mail.ts'

export interface SendingMails extends Pick<Services, 'db' | 'clock' | 'sealer' | 'mail'> {
  log: Log
}

/** Longer than the slowest attempt, so that no mail is sent twice at once. */
const LEASE_MS = MAIL_LIMIT_MS + MINUTE_MS
const FIRST_RETRY_MS = 30 * SECOND_MS
const LONGEST_RETRY_MS = 30 * MINUTE_MS
/** The mail may have arrived each time. */
const UNANSWERED_REPEATS = 2
const NOTE_AGAIN_MS = SECOND_MS

/** `unopened`: sealed with another key. */
export type MailAttempt = Sequel['outcome'] | 'unopened'

/**
 * Attempts the mail due longest; null without one. Its lease outlasts the attempt; if the process ends, it is sent
 * again. After `cut` is aborted, storing the outcome is not retried.
 */
export async function sendNextMail(
  sending: SendingMails,
  cut = new AbortController().signal,
): Promise<MailAttempt | null> {
  const { db, clock, sealer, mail } = sending
  if (mail === null) return null
  const claimed = await claim(db, clock.now())
  if (claimed === null) return null
  const opened = sealer.open(claimed.sealed, boundTo(claimed.id))
  if (opened === null) {
    await leaveClosed(claimed, sending)
    return 'unopened'
  }
  const { to, subject, text, asksForChannel } = JSON.parse(opened) as QueuedMail
  const outcome = await mail.send({ to, subject, text, id: claimed.id })
  const gone = asksForChannel && outcome.outcome === 'permanent' && outcome.isGone ? foldEmail(to) : null
  return await settle(claimed, outcome, gone, sending, cut)
}

export async function nextMailDue(reader: Reader, now: Date): Promise<Date | null> {
  const [row] = await reader.query<{ due: Date | null }>(
    sql`select min(due_at) as due from account_mail where expires_at > ${now}`,
  )
  return row?.due ?? null
}

export async function countWaitingMails(reader: Reader, now: Date): Promise<number> {
  const [row] = await reader.query<{ mails: number }>(
    sql`select count(*) as mails from account_mail where expires_at > ${now}`,
  )
  return row?.mails ?? 0
}

/** Also leased ones: call only while no other process sends. */
export async function releaseMails(db: Services['db'], now: Date): Promise<void> {
  await db.transaction((tx) => tx.query(sql`update account_mail set due_at = ${now} where due_at > ${now}`))
}

/** Doubles from 30 seconds to half an hour. */
export function retryAfterMs(attempt: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (attempt - 1), LONGEST_RETRY_MS)
}

interface ClaimedMail {
  id: Uuid
  sealed: string
  /** Counts from 1. */
  attempt: number
  /** Earlier attempts without an answer of the server. */
  unanswered: number
  unopened: boolean
  expiresAt: Date
  leasedUntil: Date
}

function claim(db: Services['db'], now: Date): Promise<ClaimedMail | null> {
  const leasedUntil = plus(now, LEASE_MS)
  return db.transaction(async (tx) => {
    const [row] = await tx.query<Omit<ClaimedMail, 'leasedUntil'>>(sql`
      select id, sealed, attempts + 1 as attempt, unanswered, unopened, expires_at as "expiresAt" from account_mail
      where due_at <= ${now} and expires_at > ${now} order by due_at limit 1 for update skip locked`)
    if (row === undefined) return null
    await tx.query(sql`update account_mail set attempts = ${row.attempt}, due_at = ${leasedUntil} where id = ${row.id}`)
    return { ...row, leasedUntil }
  })
}

/** A wrong key may be corrected, so the mail stays until it expires. */
async function leaveClosed({ id, unopened }: ClaimedMail, { db, clock, log }: SendingMails): Promise<void> {
  if (!unopened)
    log.error(
      { event: 'mail.unreadable', mailId: id },
      'A mail is sealed with another key and cannot be sent; it stays until it expires',
    )
  await db.transaction((tx) =>
    tx.query(
      sql`update account_mail set unopened = true, attempts = attempts - 1,
          due_at = ${plus(clock.now(), LONGEST_RETRY_MS)} where id = ${id}`,
    ),
  )
}

export interface Sequel {
  outcome: 'sent' | 'retry' | 'given_up'
  dueAt: Date | null
}

export function sequelOf(
  outcome: MailOutcome['outcome'],
  { attempt, unanswered, expiresAt }: Pick<ClaimedMail, 'attempt' | 'unanswered' | 'expiresAt'>,
  now: Date,
): Sequel {
  if (outcome === 'sent') return { outcome, dueAt: null }
  const givenUp: Sequel = { outcome: 'given_up', dueAt: null }
  if (outcome === 'permanent') return givenUp
  if (outcome === 'unanswered' && unanswered >= UNANSWERED_REPEATS) return givenUp
  const dueAt = plus(now, retryAfterMs(attempt))
  return dueAt >= expiresAt ? givenUp : { outcome: 'retry', dueAt }
}

/** `gone` suppresses the address for channels. */
async function settle(
  mail: ClaimedMail,
  outcome: MailOutcome,
  gone: string | null,
  sending: SendingMails,
  cut: AbortSignal,
): Promise<MailAttempt> {
  const { clock, log } = sending
  const { id, attempt } = mail
  const sequel = sequelOf(outcome.outcome, mail, clock.now())
  log[sequel.outcome === 'sent' ? 'info' : 'warn'](
    { event: 'mail.attempted', mailId: id, attempt, ...outcome, sequel: sequel.outcome },
    'Sending of an account mail attempted',
  )
  const isUnanswered = outcome.outcome === 'unanswered'
  const change =
    sequel.dueAt === null
      ? sql`delete from account_mail where id = ${id}`
      : sql`update account_mail set due_at = ${sequel.dueAt}, unanswered = unanswered + ${isUnanswered ? 1 : 0}
          where id = ${id}`
  const write = async (tx: Transaction) => {
    await tx.query(change)
    if (gone !== null) await suppress(tx, [gone], 'bounce', clock.now())
  }
  await note(mail, write, sequel, sending, cut)
  return sequel.outcome
}

/** Retries while the lease lasts, so that a short database outage does not send the mail twice. */
async function note(
  mail: ClaimedMail,
  write: (tx: Transaction) => Promise<void>,
  { outcome }: Sequel,
  { db, clock, log }: SendingMails,
  cut: AbortSignal,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await db.transaction(write)
      return
    } catch (error) {
      const isOver = cut.aborted || plus(clock.now(), NOTE_AGAIN_MS) >= mail.leasedUntil
      const line = { err: error, mailId: mail.id, outcome }
      if (isOver)
        return log.error(
          { event: 'mail.result_lost', ...line },
          'The result of an account mail could not be recorded; it may be sent again',
        )
      if (tries === 1)
        log.warn(
          { event: 'mail.result_not_recorded', ...line },
          'The result of an account mail could not be recorded; retrying',
        )
      await clock.wait(NOTE_AGAIN_MS, cut)
    }
  }
}
