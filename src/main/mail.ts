import { countWaitingMails, nextMailDue, type SendingMails, sendNextMail } from '../commands/mail/send-mails.ts'
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '../kernel/clock.ts'
import { WakeUp } from '../kernel/concurrency/wake-up.ts'
import { SmtpTransport } from '../kernel/smtp.ts'
import type { MailMetrics } from './mail-metrics.ts'
import type { Settings } from './settings.ts'

/** Separate connections to the mail server. */
export interface MailTransports {
  /** Somebody waits for account mail. */
  accounts: SmtpTransport
  /** Their volume must not delay account mail. */
  channels: SmtpTransport
}

/** Null without a mail server. Connects at first use. */
export function mailTransportsOf(settings: Pick<Settings, 'mail'>, clock: Clock): MailTransports | null {
  const [accounts, channels] = [mailTransportOf(settings, clock), mailTransportOf(settings, clock)]
  return accounts && channels && { accounts, channels }
}

export function mailTransportOf({ mail }: Pick<Settings, 'mail'>, clock: Clock): SmtpTransport | null {
  return mail === null ? null : new SmtpTransport({ ...mail, clock })
}

export interface MailStageOptions extends SendingMails {
  metrics: MailMetrics
}

export interface MailStage {
  wake(): void
  /** Sends until `signal` aborts, then waits briefly for mails in flight and closes the transport. */
  run(signal: AbortSignal): Promise<void>
}

/** Each mail has its own connection, so that a slow server does not delay the next. */
const SENDERS = 5
/** Between sweeps for unannounced mails. */
const SWEEP_MS = 30 * SECOND_MS
/** Mails that the server has not accepted stay queued. */
const END_WITHIN_MS = 5 * SECOND_MS
/** To record the state of mails in flight after that. */
const CUT_WITHIN_MS = 2 * SECOND_MS

/** Sends at once: somebody waits for each mail. */
export function createMailStage(options: MailStageOptions): MailStage {
  const { clock, mail } = options
  const wakeUps = Array.from({ length: SENDERS }, () => new WakeUp(clock))
  return {
    wake() {
      for (const wakeUp of wakeUps) wakeUp.wake()
    },
    async run(signal) {
      const [ended, cut] = [new AbortController(), new AbortController()]
      const senders = Promise.all(wakeUps.map((wakeUp) => sendOneByOne(options, wakeUp, signal, cut.signal))).then(() =>
        ended.abort(),
      )
      await aborted(signal)
      await Promise.race([senders, clock.wait(END_WITHIN_MS, ended.signal)])
      if (ended.signal.aborted) return
      cut.abort()
      await mail?.close()
      await Promise.race([senders, clock.wait(CUT_WITHIN_MS, ended.signal)])
    },
  }
}

async function sendOneByOne(
  options: MailStageOptions,
  wakeUp: WakeUp,
  signal: AbortSignal,
  cut: AbortSignal,
): Promise<void> {
  const { clock, log, metrics } = options
  while (!signal.aborted) {
    try {
      wakeUp.clear()
      const outcome = await sendNextMail(options, cut)
      if (outcome === null) await wakeUp.sleep(await untilNext(options), signal)
      else metrics.mails.inc({ outcome })
    } catch (error) {
      log.warn({ event: 'mail.poll_failed', err: error }, 'The mails to send could not be read; retrying')
      await clock.wait(SECOND_MS, signal)
    }
  }
}

async function untilNext({ db, clock }: MailStageOptions): Promise<number> {
  const now = clock.now()
  const due = await nextMailDue(db, now)
  return due === null ? SWEEP_MS : Math.min(Math.max(due.getTime() - now.getTime(), SHORTEST_WAIT_MS), SWEEP_MS)
}

/** Mails that became due since the query or that another worker is taking. */
const SHORTEST_WAIT_MS = SECOND_MS / 10

/** Then no process took the mail. */
const UNTAKEN_AFTER_MS = MINUTE_MS

/** A process without a mail server warns once an hour if no other process sends. */
export async function watchMails(
  { db, clock, log, mail, metrics }: MailStageOptions,
  signal: AbortSignal,
): Promise<void> {
  let sayAtMs = Number.NEGATIVE_INFINITY
  while (!signal.aborted) {
    try {
      const now = clock.now()
      const mails = await countWaitingMails(db, now)
      metrics.mailsWaiting.set(mails)
      const due = mail === null && clock.monotonicMs() >= sayAtMs ? await nextMailDue(db, now) : null
      if (due !== null && now.getTime() - due.getTime() >= UNTAKEN_AFTER_MS) {
        sayAtMs = clock.monotonicMs() + HOUR_MS
        log.error(
          { event: 'mail.unsent', mails },
          'Mails are waiting and nothing sends them: set SMTP_URL for processes of the role work too',
        )
      }
    } catch (error) {
      log.warn({ event: 'mail.count_failed', err: error }, 'The waiting mails could not be counted; retrying')
    }
    await clock.wait(SWEEP_MS, signal)
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
