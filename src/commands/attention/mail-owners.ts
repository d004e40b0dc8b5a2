import type { WalletNotice } from '../../domain/wallet/wallet.ts'
import { inBatches } from '../../kernel/batches.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import { groupBy } from '../../kernel/group.ts'
import { fromId, type Uuid } from '../../kernel/ids.ts'
import { type NotifiedOwner, readOwners } from '../../queries/attention/read-owners.ts'
import { stillCapped } from '../../queries/attention/still-capped.ts'
import type { Transaction } from '../../store/database.ts'
import {
  dropNotices,
  forgetNotices,
  lockNotices,
  type OwnerNotice,
  takeNotices,
} from '../../store/workspace/account-events.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { cappedKeywordsText, lowBalanceText, type MailText, pausedTrackingText } from '../mail/texts.ts'
import type { Services } from '../writing.ts'

/** Notices in one transaction: more than one workspace can have keywords. */
const PORTION = 1000

/**
 * Mails owners about a low balance, paused tracking and, at most once a day, capped keywords. Without a mail server,
 * notices expire after a day. Returns how many notices were handled.
 */
export async function mailOwners(services: Services): Promise<number> {
  if (services.mail === null) return await forget(services)
  return await inBatches(PORTION, () => services.db.transaction((tx) => mailPortion(tx, services)))
}

async function forget({ db, clock, log }: Services): Promise<number> {
  const notices = await db.transaction((tx) => forgetNotices(tx, clock.now()))
  if (notices > 0)
    log.warn(
      { event: 'notice.not_sent', notices },
      'Owners were not notified of balances and limits, because no mail server is set',
    )
  return notices
}

async function mailPortion(tx: Transaction, services: Services): Promise<number> {
  await lockNotices(tx)
  const at = services.clock.now()
  const notices = (await takeNotices(tx, at, PORTION)).sort((a, b) => (a.id < b.id ? -1 : 1))
  if (notices.length === 0) return 0
  const workspaceIds = [...new Set(notices.map(({ workspaceId }) => workspaceId))]
  const owners = groupBy(await readOwners(tx, workspaceIds), ({ workspaceId }) => workspaceId)
  const capped = await cappedNow(tx, notices)
  for (const [workspaceId, own] of groupBy(notices, (notice) => notice.workspaceId))
    for (const owner of owners.get(workspaceId) ?? [])
      for (const text of textsFor(own, owner, capped, `${services.publicUrl}/docs/`))
        await queueMail(tx, services, { to: owner.email, ...text, expiresAt: plus(at, DAY_MS) })
  // Notices of keywords stay for a day.
  const told = notices.filter(({ event }) => event !== 'keyword.capped')
  await dropNotices(tx, told)
  return notices.length
}

/** A keyword may have resumed since its notice, up to a day ago. */
function cappedNow(tx: Transaction, notices: readonly OwnerNotice[]): Promise<Set<Uuid>> {
  const told = notices.filter(({ event }) => event === 'keyword.capped')
  return stillCapped(
    tx,
    told.map((notice) => ({ workspaceId: notice.workspaceId, keywordId: keywordOf(notice) })),
  )
}

function keywordOf({ data }: OwnerNotice): Uuid {
  return fromId('kw', (data as unknown as CappedData).keyword.id)!
}

function textsFor(
  notices: readonly OwnerNotice[],
  { workspaceName }: NotifiedOwner,
  capped: ReadonlySet<Uuid>,
  reference: string,
): MailText[] {
  const texts: MailText[] = []
  for (const { event, data } of notices) {
    if (event === 'keyword.capped') continue
    const { wallet, keywordsPaused } = data as unknown as WalletData
    const mail = { workspaceName, effectiveCents: wallet.effectiveCents, dayCents: wallet.resumeCostCents, reference }
    texts.push(
      event === 'wallet.low' ? lowBalanceText(mail) : pausedTrackingText({ ...mail, keywords: keywordsPaused }),
    )
  }
  // Only the last notice of each keyword.
  const keywords = new Map(
    notices
      .filter((notice) => notice.event === 'keyword.capped' && capped.has(keywordOf(notice)))
      .map((notice) => [keywordOf(notice), notice.data as unknown as CappedData]),
  )
  const [first] = keywords.values()
  if (first !== undefined) {
    const shown = [...keywords.values()].map(({ keyword, cap }) => ({ term: keyword.term, mentions: cap.mentions }))
    texts.push(
      cappedKeywordsText({ workspaceName, keywords: shown, resumesOn: first.resumesAt.slice(0, 10), reference }),
    )
  }
  return texts
}

interface CappedData {
  keyword: { id: string; term: string }
  cap: { mentions: number | null }
  resumesAt: string
}

interface WalletData {
  wallet: WalletNotice
  keywordsPaused: number
}
