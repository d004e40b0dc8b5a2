import type { TelegramBot } from '../channels/contract.ts'
import { createTelegram, type Telegram } from '../channels/telegram/telegram.ts'
import { takeUpdate } from '../commands/channels/telegram/take-update.ts'
import type { Services } from '../commands/writing.ts'
import { type Clock, MINUTE_MS, plus, SECOND_MS } from '../kernel/clock.ts'
import { newUuid, type Uuid } from '../kernel/ids.ts'
import { isOfThisMachine } from '../kernel/this-machine.ts'
import { endPolling, holdPolling } from '../store/channel/telegram.ts'
import { DatabaseUnavailable } from '../store/database.ts'
import type { Settings } from './settings.ts'

/** Null without a bot. Makes no call before the first use. */
export function telegramOf(
  { telegram, publicUrl }: Pick<Settings, 'telegram' | 'publicUrl'>,
  clock: Clock,
): Telegram | null {
  return telegram && createTelegram({ ...telegram, publicUrl, clock })
}

type Receiving = Pick<Services, 'db' | 'clock' | 'channels' | 'log'>

/** By webhook where Telegram can reach the installation, else by polling. */
export async function receiveTelegram(
  services: Receiving & Pick<Services, 'telegram' | 'publicUrl'>,
  signal: AbortSignal,
): Promise<void> {
  const { telegram: bot, publicUrl } = services
  if (bot === null) return
  // A request for a link would hold a database connection meanwhile.
  await bot.name()
  if (isCallable(publicUrl)) await askToBeCalled(services, bot, `${publicUrl}/hooks/telegram`, signal)
  else await pollUpdates(services, bot, signal)
}

/** Telegram calls https addresses only. */
function isCallable(publicUrl: string): boolean {
  return publicUrl.startsWith('https:') && !isOfThisMachine(publicUrl)
}

const RETRY_MS = MINUTE_MS

/** Idempotent, so every serving process does it. */
async function askToBeCalled(
  { clock, log }: Receiving,
  bot: TelegramBot,
  url: string,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const problem = await bot.receiveAt(url)
    if (problem === null) return
    log.warn(
      { event: 'telegram.webhook_refused', problem, url },
      'Telegram refused the webhook address, so no chat can be connected; retrying',
    )
    await clock.wait(RETRY_MS, signal)
  }
}

/** Longer than a poll, so that no other process polls meanwhile. */
const LEASE_MS = MINUTE_MS
const BETWEEN_FAILURES_MS = 10 * SECOND_MS

/** What a process that polls knows between two polls. */
interface PollState {
  readonly bot: string
  readonly holder: Uuid
  /** The id of the last update that was processed. */
  last: number | null
  reportedFailure: string | null
}

/** While this process holds the lease. */
async function pollUpdates(services: Receiving, bot: TelegramBot, signal: AbortSignal): Promise<void> {
  const { db, clock, log } = services
  const polling: PollState = { bot: bot.id, holder: newUuid(clock.now()), last: null, reportedFailure: null }
  while (!signal.aborted) {
    try {
      const waitMs = await pollOnce(services, bot, polling, signal)
      if (waitMs > 0) await clock.wait(waitMs, signal)
    } catch (error) {
      log.warn({ event: 'telegram.poll_failed', err: error }, 'Updates from Telegram could not be read; retrying')
      await clock.wait(BETWEEN_FAILURES_MS, signal)
    }
  }
  await endPolling(db, polling).catch((error: unknown) =>
    log.warn(
      { event: 'telegram.lease_not_released', err: error },
      'The lease for polling Telegram could not be released; it expires',
    ),
  )
}

/** Returns how long to wait before the next poll. */
async function pollOnce(
  services: Receiving,
  bot: TelegramBot,
  polling: PollState,
  signal: AbortSignal,
): Promise<number> {
  if (!(await holdLease(services, polling))) {
    polling.last = null
    return LEASE_MS / 2
  }
  const polled = await bot.poll(polling.last, signal)
  if ('failed' in polled) {
    // Perhaps nobody can fix it now, such as offline.
    if (!signal.aborted && polled.failed !== polling.reportedFailure)
      services.log.warn(
        { event: 'telegram.poll_refused', problem: polled.failed },
        'Telegram refused to be polled; if it calls another address, remove that with deleteWebhook. Retrying',
      )
    polling.reportedFailure = polled.failed
    return BETWEEN_FAILURES_MS
  }
  polling.reportedFailure = null
  const before = polling.last
  await processUpdates(services, bot, polling, polled.updates)
  // Some servers reply at once without updates, or repeat confirmed ones.
  return polling.last === before ? SECOND_MS : 0
}

/** Processing may outlast the lease. A process that lost it confirms nothing; repeated updates do no harm. */
async function processUpdates(
  services: Receiving,
  bot: TelegramBot,
  polling: PollState,
  updates: readonly unknown[],
): Promise<void> {
  let renewAt = plus(services.clock.now(), LEASE_MS / 2)
  for (const update of updates) {
    if (services.clock.now() >= renewAt) {
      if (!(await holdLease(services, polling))) return
      renewAt = plus(services.clock.now(), LEASE_MS / 2)
    }
    await take(services, bot, update)
    const id = idOf(update)
    if (id !== null) polling.last = Math.max(polling.last ?? id, id)
  }
}

function holdLease({ db, clock }: Receiving, { bot, holder }: PollState): Promise<boolean> {
  const at = clock.now()
  return holdPolling(db, { bot, holder }, { at, leasedUntil: plus(at, LEASE_MS) })
}

/** An update that fails for its own reason must not come back. */
async function take(services: Receiving, bot: TelegramBot, update: unknown): Promise<void> {
  try {
    await takeUpdate(services, bot, update)
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error
    services.log.error(
      { event: 'telegram.update_skipped', err: error },
      'An update from Telegram could not be processed and is skipped',
    )
  }
}

function idOf(update: unknown): number | null {
  const id = typeof update === 'object' && update !== null && 'update_id' in update ? update.update_id : null
  return typeof id === 'number' ? id : null
}
