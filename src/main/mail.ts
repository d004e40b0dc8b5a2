import { countWaitingMails, nextMailDue, type SendingMails, sendNextMail } from '../commands/mail/send-mails.ts'
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '../kernel/clock.ts'
import { WakeUp } from '../kernel/concurrency/wake-up.ts'
import { SmtpTransport } from '../kernel/smtp.ts'
import type { MailMetrics } from './mail-metrics.ts'
import type { Settings } from './settings.ts'

/** The ways to the mail server, each with connections of its own. */
export interface MailTransports {
  /** For mail about accounts, which somebody waits for. */
  accounts: SmtpTransport
  /** For what channels send, of which there may be much at once: it is never in the way of the other. */
  channels: SmtpTransport
}

/** Null on an installation without a mail server. They connect when they are first used. */
export function mailTransportsOf(settings: Pick<Settings, 'mail'>, clock: Clock): MailTransports | null {
  const [accounts, channels] = [mailTransportOf(settings, clock), mailTransportOf(settings, clock)]
  return accounts && channels && { accounts, channels }
}

/** One way; null on an installation without a mail server. */
export function mailTransportOf({ mail }: Pick<Settings, 'mail'>, clock: Clock): SmtpTransport | null {
  return mail === null ? null : new SmtpTransport({ ...mail, clock })
}

export interface MailStageOptions extends SendingMails {
  metrics: MailMetrics
}

export interface MailStage {
  /** A mail may be waiting: somebody has just left one. */
  wake(): void
  /**
   * Sends until `signal` is aborted, then waits a while for what is on its way and cuts off the rest, which ends the
   * transport.
   */
  run(signal: AbortSignal): Promise<void>
}

/**
 * Mails that one process sends at once, one a connection: one to a server that takes its time does not hold up the
 * next.
 */
const HANDS = 5
/** The longest time without looking for mails that were announced to nobody. */
const LOOK_MS = 30 * SECOND_MS
/** The end waits so long for the mail server. What it has not taken by then stays where it is and is sent again. */
const END_WITHIN_MS = 5 * SECOND_MS
/** Then it is written down of each mail in hand, within so long, how far it came. */
const CUT_WITHIN_MS = 2 * SECOND_MS

/** Sends the mails about accounts as soon as they are left: somebody waits for each of them. */
export function createMailStage(options: MailStageOptions): MailStage {
  const { clock, mail } = options
  const wakeUps = Array.from({ length: HANDS }, () => new WakeUp(clock))
  return {
    wake() {
      for (const wakeUp of wakeUps) wakeUp.wake()
    },
    async run(signal) {
      const [ended, cut] = [new AbortController(), new AbortController()]
      const hands = Promise.all(wakeUps.map((wakeUp) => sendOneByOne(options, wakeUp, signal, cut.signal))).then(() =>
        ended.abort(),
      )
      await aborted(signal)
      await Promise.race([hands, clock.wait(END_WITHIN_MS, ended.signal)])
      if (ended.signal.aborted) return
      cut.abort()
      await mail?.close()
      await Promise.race([hands, clock.wait(CUT_WITHIN_MS, ended.signal)])
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
  return due === null ? LOOK_MS : Math.min(Math.max(due.getTime() - now.getTime(), SHORTEST_WAIT_MS), LOOK_MS)
}

/** What became due since it was looked for, or is just being taken by another hand. */
const SHORTEST_WAIT_MS = SECOND_MS / 10

/** A mail that was due for so long was taken by nobody. */
const UNTAKEN_AFTER_MS = MINUTE_MS

/**
 * Shows how many mails wait, until `signal` is aborted. Of a process that cannot send them it says once an hour that
 * they do, when nobody else takes them either.
 */
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
    await clock.wait(LOOK_MS, signal)
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
