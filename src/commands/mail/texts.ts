import { LINK_MS } from '../../domain/account/account.ts'
import { INVITATION_MS } from '../../domain/member/invitation.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts'
import { cleanLine, excerpt } from '../../kernel/text.ts'

/** Subject and text of a mail. */
export interface MailText {
  subject: string
  text: string
}

/** `url` signs its reader in, once. */
export function signInLinkText(url: string): MailText {
  return {
    subject: 'Your link to sign in to Earshot',
    text: letter(
      'Open this link to sign in to Earshot:',
      url,
      `It works once, within ${inWords(LINK_MS.sign_in)}.`,
      'If you did not ask for it, you can ignore this mail. Nobody gets in without the link, so do not pass it on.',
    ),
  }
}

/** `url` lets its reader choose a new password, once. */
export function resetText(url: string): MailText {
  return {
    subject: 'Choose a new password for Earshot',
    text: letter(
      'Open this link to choose a new password for Earshot:',
      url,
      `It works once, within ${inWords(LINK_MS.reset)}. With the new password you are signed out everywhere else.`,
      'If you did not ask for it, you can ignore this mail: your password stays as it is.',
    ),
  }
}

/** `url` leads on to name and password of a new account. */
export function signUpText(url: string): MailText {
  return {
    subject: 'Finish signing up for Earshot',
    text: letter(
      'Welcome. Open this link to finish signing up for Earshot:',
      url,
      `It works once, within ${inWords(LINK_MS.sign_up)}.`,
      'If you did not ask for it, you can ignore this mail, and no account is made.',
    ),
  }
}

/** For somebody who signs up with an address that has an account; `url` is where people sign in. */
export function accountExistsText(url: string): MailText {
  return {
    subject: 'You already have an Earshot account',
    text: letter(
      'Somebody, probably you, has just signed up for Earshot with this address. It has an account already. You can sign in here:',
      url,
      'If you do not remember your password, that page helps you to a new one.',
      'If it was not you, you can ignore this mail: nothing has changed.',
    ),
  }
}

export interface InvitationMail {
  workspaceName: string
  /** Null when whoever invites is not known by name. */
  inviterName: string | null
  url: string
}

/** `url` opens the invitation. The names are whatever people typed. */
export function invitationText({ workspaceName, inviterName, url }: InvitationMail): MailText {
  const workspace = plainName(workspaceName, 'a workspace')
  const inviter = plainName(inviterName ?? '', 'Somebody')
  return {
    subject: `You are invited to ${workspace} on Earshot`,
    text: letter(
      `${inviter} invites you to work together in ${workspace} on Earshot. Open this link to accept:`,
      url,
      `It works within ${inWords(INVITATION_MS)}.`,
      'If you did not expect it, you can ignore this mail.',
    ),
  }
}

const NAME_CHARACTERS_MAX = 60

/**
 * A name as it may stand in a mail of ours: one short line without characters that are not seen or turn the direction of
 * writing. It is set apart by quotes and holds nothing that a mail program would turn into a link, because a name must not
 * lead strangers anywhere in our name.
 */
function plainName(name: string, unnamed: string): string {
  const line = cleanLine(name.replace(/\p{Zl}|\p{Zp}/gu, ' ').replace(/\p{C}/gu, (one) => (/\s/.test(one) ? ' ' : '')))
  const unlinked = line.replace(/["“”«»]/g, "'").replace(/([.:/@\\。．｡])(?=\S)/gu, '$1 ')
  return unlinked === '' ? unnamed : `“${excerpt(unlinked, NAME_CHARACTERS_MAX).trim()}”`
}

/** Paragraphs with an empty line between them. */
function letter(...paragraphs: readonly string[]): string {
  return `${paragraphs.join('\n\n')}\n`
}

/** A whole number of the largest unit that measures it: 15 minutes, an hour, a day. */
function inWords(milliseconds: number): string {
  if (milliseconds % DAY_MS === 0) return counted(milliseconds / DAY_MS, 'a day', 'days')
  if (milliseconds % HOUR_MS === 0) return counted(milliseconds / HOUR_MS, 'an hour', 'hours')
  return counted(milliseconds / MINUTE_MS, 'a minute', 'minutes')
}

function counted(count: number, one: string, many: string): string {
  return count === 1 ? one : `${count} ${many}`
}
