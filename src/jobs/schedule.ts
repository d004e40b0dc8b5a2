import { forgetSessionsAndLinks } from '../commands/accounts/forget-sessions-and-links.ts'
import { sendDigests } from '../commands/alerts/send-digests.ts'
import { forgetApiKeys } from '../commands/api-keys/forget-api-keys.ts'
import { mailOwners } from '../commands/attention/mail-owners.ts'
import { watchAttention } from '../commands/attention/watch-attention.ts'
import { refreshHandles } from '../commands/authors/refresh-handles.ts'
import { forgetMails } from '../commands/channels/email/forget-mails.ts'
import { releaseMails } from '../commands/channels/email/release-mails.ts'
import { sealHeaders } from '../commands/channels/seal-headers.ts'
import { removeWorkspaces } from '../commands/deletion/remove-workspaces.ts'
import { startMonth } from '../commands/keywords/start-month.ts'
import { renewWords } from '../commands/mentions/renew-words.ts'
import { forgetClients } from '../commands/oauth/forget-clients.ts'
import { forgetGrants } from '../commands/oauth/forget-grants.ts'
import { runAutoRecharges } from '../commands/payments/auto-recharge.ts'
import { recoverPayments } from '../commands/payments/recover-payments.ts'
import { expireMentions } from '../commands/retention/expire-mentions.ts'
import { pruneLog } from '../commands/retention/prune-log.ts'
import { runDay } from '../commands/wallet/daily-run.ts'
import { watchWallets } from '../commands/wallet/watch-wallets.ts'
import type { Services } from '../commands/writing.ts'
import { AUDIT_LIFETIME_MS } from '../domain/audit/kinds.ts'
import { REJECTIONS } from '../domain/keyword/rejection.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, plus, SECOND_MS } from '../kernel/clock.ts'
import { pruneAttention } from '../store/attention/items.ts'
import { forgetInspections } from '../store/channel/inspections.ts'
import { pruneRecent } from '../store/counts/keyword-counts.ts'
import { pruneRejections } from '../store/counts/rejections.ts'
import { pruneWords } from '../store/counts/word-flow.ts'
import { rotateOutbox } from '../store/delivery/outbox.ts'
import { pruneGoneChannels } from '../store/delivery/prune-deliveries.ts'
import { releaseWaiting } from '../store/delivery/waiting-room.ts'
import { maintainBlocks } from '../store/filter/mention-blocks.ts'
import { forgetFollowers } from '../store/follower/followers.ts'
import { pruneKeywordChanges } from '../store/keyword/keyword-changes.ts'
import { forgetLimitCounts } from '../store/limit-counts.ts'
import { spendLostReservations } from '../store/model/model-costs.ts'
import { pruneModelVerdicts } from '../store/model/model-verdicts.ts'
import { prunePlaces } from '../store/source/places.ts'
import { pruneQueries } from '../store/source/source-queries.ts'
import { pruneAudit } from '../store/workspace/audit.ts'
import { forgetRequestAnswers } from '../store/workspace/request-answers.ts'

/** A recurring job. Processes take turns; a repeated, late or concurrent run does no harm. */
export interface Job {
  name: string
  everyMs: number
  /** Returns the number of changes where known. */
  run(services: Services): Promise<number> | Promise<void>
}

/** About the speed of receivers' replies. */
const RELEASE_MS = 5 * SECOND_MS
/** A matcher that was away longer reads every keyword. */
const KEYWORD_CHANGES_KEPT_MS = 7 * DAY_MS

export const SCHEDULE: readonly Job[] = [
  { name: 'turn-month', everyMs: MINUTE_MS, run: startMonth },
  // Only the clock tells the change of day, and a failed run is repeated soon.
  { name: 'daily-run', everyMs: MINUTE_MS, run: runDay },
  { name: 'watch-wallets', everyMs: MINUTE_MS, run: watchWallets },
  { name: 'auto-recharge', everyMs: MINUTE_MS, run: runAutoRecharges },
  { name: 'send-digests', everyMs: MINUTE_MS, run: sendDigests },
  // Only the clock tells the full hour.
  { name: 'watch-attention', everyMs: MINUTE_MS, run: watchAttention },
  { name: 'release-mails', everyMs: MINUTE_MS, run: releaseMails },
  { name: 'release-waiting', everyMs: RELEASE_MS, run: ({ db, clock }) => releaseWaiting(db, clock.now()) },
  { name: 'seal-headers', everyMs: HOUR_MS, run: sealHeaders },
  { name: 'mail-owners', everyMs: MINUTE_MS, run: mailOwners },
  { name: 'recover-payments', everyMs: HOUR_MS, run: recoverPayments },
  {
    name: 'forget-request-answers',
    everyMs: HOUR_MS,
    run: ({ db, clock }) => db.transaction((tx) => forgetRequestAnswers(tx, clock.now())),
  },
  { name: 'turn-outbox', everyMs: MINUTE_MS, run: ({ db }) => rotateOutbox(db) },
  { name: 'prune-deliveries', everyMs: MINUTE_MS, run: pruneLog },
  { name: 'prune-channels', everyMs: HOUR_MS, run: ({ db }) => pruneGoneChannels(db) },
  { name: 'expire-mentions', everyMs: MINUTE_MS, run: expireMentions },
  {
    name: 'prune-keyword-changes',
    everyMs: HOUR_MS,
    run: ({ db, clock }) => pruneKeywordChanges(db, plus(clock.now(), -KEYWORD_CHANGES_KEPT_MS)),
  },
  { name: 'prune-attention', everyMs: HOUR_MS, run: ({ db, clock }) => pruneAttention(db, clock.now()) },
  {
    name: 'prune-audit',
    everyMs: HOUR_MS,
    run: ({ db, clock }) => pruneAudit(db, plus(clock.now(), -AUDIT_LIFETIME_MS)),
  },
  { name: 'prune-recent', everyMs: HOUR_MS, run: ({ db, clock }) => pruneRecent(db, clock.now()) },
  { name: 'forget-sessions-and-links', everyMs: HOUR_MS, run: forgetSessionsAndLinks },
  {
    name: 'forget-inspections',
    everyMs: HOUR_MS,
    run: ({ db, clock }) => forgetInspections(db, clock.now()),
  },
  {
    name: 'forget-limit-counts',
    everyMs: 10 * MINUTE_MS,
    run: ({ db, clock }) => forgetLimitCounts(db, clock.now()),
  },
  { name: 'forget-mails', everyMs: HOUR_MS, run: forgetMails },
  {
    name: 'forget-followers',
    everyMs: MINUTE_MS,
    run: ({ db, clock }) => db.transaction((tx) => forgetFollowers(tx, clock.now())),
  },
  { name: 'forget-grants', everyMs: HOUR_MS, run: forgetGrants },
  { name: 'forget-clients', everyMs: HOUR_MS, run: forgetClients },
  { name: 'forget-api-keys', everyMs: HOUR_MS, run: forgetApiKeys },
  {
    name: 'prune-rejections',
    everyMs: HOUR_MS,
    run: ({ db, clock }) => pruneRejections(db, plus(clock.now(), -REJECTIONS.keptMs)),
  },
  { name: 'prune-words', everyMs: HOUR_MS, run: ({ db, clock }) => pruneWords(db, clock.now()) },
  { name: 'maintain-mention-blocks', everyMs: 10 * MINUTE_MS, run: ({ db, clock }) => maintainBlocks(db, clock.now()) },
  { name: 'renew-words', everyMs: MINUTE_MS, run: (services) => renewWords(services) },
  { name: 'prune-model-verdicts', everyMs: HOUR_MS, run: ({ db, clock }) => pruneModelVerdicts(db, clock.now()) },
  {
    name: 'spend-lost-model-reservations',
    everyMs: HOUR_MS,
    run: ({ db, clock }) => spendLostReservations(db, clock.now()),
  },
  { name: 'prune-queries', everyMs: HOUR_MS, run: ({ db }) => pruneQueries(db) },
  { name: 'remove-workspaces', everyMs: HOUR_MS, run: removeWorkspaces },
  { name: 'prune-places', everyMs: HOUR_MS, run: ({ db }) => prunePlaces(db) },
  // Each handle is checked once a day; each run takes the next few.
  { name: 'refresh-handles', everyMs: 10 * MINUTE_MS, run: refreshHandles },
]
