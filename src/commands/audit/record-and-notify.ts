import type { AuditEvent } from '../../domain/audit/kinds.ts'
import { managesTeam } from '../../domain/member/team.ts'
import { DAY_MS, HOUR_MS, plus } from '../../kernel/clock.ts'
import { readOwners } from '../../queries/attention/read-owners.ts'
import type { Transaction } from '../../store/database.ts'
import { type AuditOptions, countRecent, recordAudit, type WrittenAudit } from '../../store/workspace/audit.ts'
import { queueMail } from '../mail/queue-mail.ts'
import {
  appConnectedText,
  deletionScheduledText,
  newKeyText,
  newManagerText,
  passwordChangedText,
  type SecurityMail,
  workspaceRestoredText,
} from '../mail/security-texts.ts'
import type { MailText } from '../mail/texts.ts'
import type { Services } from '../writing.ts'

export type AuditMailer = Pick<Services, 'sealer' | 'clock' | 'mail' | 'publicUrl'>

/** Mails of one kind within an hour: a loop that creates keys must not flood the owners' mailboxes. */
export const MAILED_MOST = 5
const WITHIN_MS = HOUR_MS

/**
 * Writes a security log entry. Events that give somebody access, or end the workspace, are mailed to every owner;
 * password changes are mailed to the person.
 */
export async function recordAndNotify(
  tx: Transaction,
  telling: AuditMailer,
  event: AuditEvent,
  at: Date,
  options?: AuditOptions,
): Promise<void> {
  const written = await recordAudit(tx, event, at, options)
  const [first] = written
  if (telling.mail === null || first === undefined) return
  if (event.kind !== 'password.changed' && textFor(event, EMPTY) === null) return
  const recent = await countRecent(tx, first.workspaceId, event.kind, recentTarget(event, first), plus(at, -WITHIN_MS))
  if (recent > MAILED_MOST) return
  const isLast = recent === MAILED_MOST
  for (const { to, text } of await lettersFor(tx, telling, event, first, isLast))
    await queueMail(tx, telling, { to, ...text, expiresAt: plus(at, DAY_MS) })
}

interface Letter {
  to: string
  text: MailText
}

async function lettersFor(
  tx: Transaction,
  { publicUrl }: AuditMailer,
  event: AuditEvent,
  written: WrittenAudit,
  isLast: boolean,
): Promise<Letter[]> {
  const { workspaceId, actorName, appName, targetName } = written
  if (event.kind === 'password.changed')
    return targetName === null ? [] : [{ to: targetName, text: passwordChangedText({ publicUrl, isLast }) }]
  const owners = await readOwners(tx, [workspaceId])
  // The new member knows, and may not have confirmed the address.
  const recipients = event.kind === 'member.joined' ? owners.filter(({ email }) => email !== targetName) : owners
  return recipients.flatMap(({ email, workspaceName }) => {
    const text = textFor(event, { workspaceName, actorName, appName, targetName: targetName ?? '', publicUrl, isLast })
    return text === null ? [] : [{ to: email, text }]
  })
}

/** Null for events without a mail. */
function textFor(event: AuditEvent, mail: SecurityMail): MailText | null {
  switch (event.kind) {
    case 'api_key.created':
      return newKeyText(mail, event.data)
    case 'member.joined':
      return managesTeam(event.data.role) ? newManagerText(mail, event.data.role) : null
    case 'member.role_changed':
      return managesTeam(event.data.to) && event.data.from !== 'owner' ? newManagerText(mail, event.data.to) : null
    case 'app.connected':
      return appConnectedText(mail, event.data)
    case 'workspace.deletion_scheduled':
      return deletionScheduledText(mail, event.data)
    case 'workspace.restored':
      return workspaceRestoredText(mail)
    default:
      return null
  }
}

const EMPTY: SecurityMail = {
  workspaceName: '',
  actorName: null,
  appName: null,
  targetName: '',
  publicUrl: '',
  isLast: false,
}

/** Password changes are counted by person, other events by workspace. */
function recentTarget(event: AuditEvent, { targetId }: WrittenAudit): string | null {
  return event.kind === 'password.changed' ? targetId : null
}
