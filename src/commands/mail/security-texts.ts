import type { AuditData } from '../../domain/audit/kinds.ts'
import type { Role } from '../../domain/member/member.ts'
import { letter, type MailText, plainName } from './texts.ts'

/** Names are arbitrary texts of people and apps. */
export interface SecurityMail {
  workspaceName: string
  /** Null when unknown. */
  actorName: string | null
  /** The app that acted for the person. */
  appName: string | null
  targetName: string
  publicUrl: string
  /** Whether further mails of this kind are suppressed for a while. */
  isLast: boolean
}

const MORE = 'There were several of these within the hour. Further ones are not mailed; GET /v1/audit lists them all.'
const LOG = 'The security log shows the time and the address: GET /v1/audit.'

export function newKeyText(mail: SecurityMail, { scope }: AuditData['api_key.created']): MailText {
  const workspace = plainName(mail.workspaceName, 'your workspace')
  return {
    subject: `A new API key in ${workspace} on Earshot`,
    text: letter(
      `${actorOf(mail)} made the API key ${plainName(mail.targetName, 'without a name')} in ${workspace} on ` +
        `Earshot. It ${scope === 'write' ? 'reads and changes' : 'reads'} what is there, without a person signing ` +
        'in.',
      'If nobody you trust did this, revoke the key:',
      `${mail.publicUrl}/keys`,
      ...rest(mail),
    ),
  }
}

const ROLE_WORDS: Record<Role, string> = { owner: 'an owner', admin: 'an admin', member: 'a member' }

export function newManagerText(mail: SecurityMail, role: Role): MailText {
  const workspace = plainName(mail.workspaceName, 'your workspace')
  const person = plainName(mail.targetName, 'Somebody')
  return {
    subject: `${person} is ${ROLE_WORDS[role]} of ${workspace} on Earshot`,
    text: letter(
      `${person} is ${ROLE_WORDS[role]} of ${workspace} on Earshot now, and ` +
        `${role === 'owner' ? 'may do everything, including creating keys' : 'manages people and billing'}.`,
      'If this is wrong, change it on the team page:',
      `${mail.publicUrl}/team`,
      ...rest(mail),
    ),
  }
}

export function appConnectedText(mail: SecurityMail, { scope }: AuditData['app.connected']): MailText {
  const workspace = plainName(mail.workspaceName, 'your workspace')
  const app = plainName(mail.targetName, 'without a name')
  return {
    subject: `An app is connected to ${workspace} on Earshot`,
    text: letter(
      `${actorOf(mail)} allowed the app ${app} to ${scope === 'write' ? 'read and change' : 'read'} ${workspace} ` +
        'on Earshot. The app chose this name itself; nobody has verified it.',
      'Whoever connected the app can disconnect it on their account page. If that is you:',
      `${mail.publicUrl}/account`,
      ...rest(mail),
    ),
  }
}

export function deletionScheduledText(
  mail: SecurityMail,
  { deletesAt }: AuditData['workspace.deletion_scheduled'],
): MailText {
  const workspace = plainName(mail.workspaceName, 'your workspace')
  return {
    subject: `${workspace} on Earshot will be deleted`,
    text: letter(
      `${actorOf(mail)} scheduled the deletion of ${workspace} on Earshot. Collecting, sending and charging have ` +
        `stopped. Everything in the workspace is removed for good on ${dateOf(deletesAt)}.`,
      'Until then an owner can restore the workspace in the settings:',
      `${mail.publicUrl}/settings/team`,
      ...rest(mail),
    ),
  }
}

export function workspaceRestoredText(mail: SecurityMail): MailText {
  const workspace = plainName(mail.workspaceName, 'your workspace')
  return {
    subject: `${workspace} on Earshot is restored`,
    text: letter(
      `${actorOf(mail)} restored ${workspace} on Earshot. Its deletion is cancelled, and its keywords run again.`,
      ...rest(mail),
    ),
  }
}

/** 2026-11-27T18:15:00.000Z as 2026-11-27 18:15 UTC. */
function dateOf(instant: string): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`
}

export function passwordChangedText({ publicUrl, isLast }: Pick<SecurityMail, 'publicUrl' | 'isLast'>): MailText {
  return {
    subject: 'Your password for Earshot was changed',
    text: letter(
      'Your password for Earshot was just changed, and other browsers were signed out.',
      'If it was not you, choose a new password now:',
      `${publicUrl}/reset`,
      ...(isLast ? [MORE] : ['If it was you, there is nothing to do.']),
    ),
  }
}

function actorOf({ actorName, appName }: SecurityMail): string {
  const actor = plainName(actorName ?? '', 'The operator of the installation')
  return appName === null ? actor : `${actor}, through the app ${plainName(appName, 'without a name')},`
}

function rest({ isLast }: SecurityMail): string[] {
  return [LOG, ...(isLast ? [MORE] : [])]
}
