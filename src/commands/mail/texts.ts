import { LINK_MS } from '../../domain/account/account.ts'
import { dollarsOf } from '../../domain/attention/dollars.ts'
import { INVITATION_MS } from '../../domain/member/invitation.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts'
import { cleanLine, excerpt } from '../../kernel/text.ts'

export interface MailText {
  subject: string
  text: string
}

/** `url` signs in, once. */
export function signInLinkText(url: string): MailText {
  return {
    subject: 'Your link to sign in to Earshot',
    text: letter(
      'Open this link to sign in to Earshot:',
      url,
      `It works once, for ${inWords(LINK_MS.sign_in)}.`,
      'If you did not ask for this link, ignore this mail. Anybody with the link can sign in as you, ' +
        'so do not forward it.',
    ),
  }
}

/** `url` allows one new password. */
export function resetText(url: string): MailText {
  return {
    subject: 'Choose a new password for Earshot',
    text: letter(
      'Open this link to choose a new password for Earshot:',
      url,
      `It works once, for ${inWords(LINK_MS.reset)}. A new password signs you out everywhere else.`,
      'If you did not ask for this link, ignore this mail. Your password stays unchanged.',
    ),
  }
}

export function signUpText(url: string): MailText {
  return {
    subject: 'Finish signing up for Earshot',
    text: letter(
      'Welcome. Open this link to finish signing up for Earshot:',
      url,
      `It works once, for ${inWords(LINK_MS.sign_up)}.`,
      'If you did not sign up, ignore this mail. No account is created.',
    ),
  }
}

/** `url` is the sign-in page. */
export function accountExistsText(url: string): MailText {
  return {
    subject: 'You already have an Earshot account',
    text: letter(
      'Somebody, probably you, just signed up for Earshot with this address, which already has an ' +
        'account. Sign in here:',
      url,
      'If you forgot your password, choose a new one on that page.',
      'If it was not you, ignore this mail. Nothing has changed.',
    ),
  }
}

export interface InvitationMail {
  workspaceName: string
  /** Null when unknown. */
  inviterName: string | null
  url: string
}

/** The names are arbitrary texts of people. */
export function invitationText({ workspaceName, inviterName, url }: InvitationMail): MailText {
  const workspace = plainName(workspaceName, 'a workspace')
  const inviter = plainName(inviterName ?? '', 'Somebody')
  return {
    subject: `You are invited to ${workspace} on Earshot`,
    text: letter(
      `${inviter} invites you to work together in ${workspace} on Earshot. Open this link to accept:`,
      url,
      `It works for ${inWords(INVITATION_MS)}.`,
      'If you did not expect this mail, ignore it.',
    ),
  }
}

/** `url` confirms. The name is an arbitrary text. */
export interface Confirmation {
  workspaceName: string
  url: string
  withinMs: number
}

export function confirmationText({ workspaceName, url, withinMs }: Confirmation): MailText {
  const workspace = plainName(workspaceName, 'a workspace')
  return {
    subject: `Receive alerts from ${workspace} on Earshot?`,
    text: letter(
      `Somebody in ${workspace} on Earshot would like to send alerts about mentions to this address. Open this link ` +
        'if you want them too:',
      url,
      `It works for ${inWords(withinMs)}. Every mail has a link to unsubscribe.`,
      'If you do not want them, ignore this mail, and none is sent.',
    ),
  }
}

/** Amounts in whole cents. */
export interface WalletMail {
  workspaceName: string
  effectiveCents: number
  /** One day of all keywords that run or would run. */
  dayCents: number
  reference: string
}

const HOW_TO_TOP_UP = 'POST /v1/billing/top-ups'

/** Sent at a fifth of the last credit or less. */
export function lowBalanceText({ workspaceName, effectiveCents, dayCents, reference }: WalletMail): MailText {
  const workspace = plainName(workspaceName, 'your workspace')
  return {
    subject: `The balance of ${workspace} on Earshot is low`,
    text: letter(
      `${dollarsOf(effectiveCents)} are left in ${workspace} on Earshot. A day of its keywords costs ` +
        `${dollarsOf(dayCents)}, and mentions come on top.`,
      'When the balance is used up, all keywords stop, and posts of that time are not collected.',
      `To continue, top up with ${HOW_TO_TOP_UP}. The API reference describes it:`,
      reference,
      'This mail is sent once after each top-up.',
    ),
  }
}

export function pausedTrackingText({
  workspaceName,
  effectiveCents,
  dayCents,
  keywords,
  reference,
}: WalletMail & { keywords: number }): MailText {
  const workspace = plainName(workspaceName, 'your workspace')
  return {
    subject: `Tracking is paused in ${workspace} on Earshot`,
    text: letter(
      `The balance of ${workspace} on Earshot is ${dollarsOf(effectiveCents)}, which does not cover another day. ` +
        `${keywords === 1 ? 'Its keyword has' : `All of its ${keywords} keywords have`} stopped, and nothing is ` +
        'collected or charged.',
      'Everything goes on by itself as soon as the balance covers a day of all keywords, which is ' +
        `${dollarsOf(dayCents)}.`,
      `Top up with ${HOW_TO_TOP_UP}. The API reference describes it:`,
      reference,
    ),
  }
}

export interface CappedMail {
  workspaceName: string
  /** Terms are arbitrary texts. */
  keywords: readonly { term: string; mentions: number | null }[]
  /** UTC. */
  resumesOn: string
  reference: string
}

/** Named keywords; the rest are counted. */
const CAPPED_SHOWN = 10

export function cappedKeywordsText({ workspaceName, keywords, resumesOn, reference }: CappedMail): MailText {
  const workspace = plainName(workspaceName, 'your workspace')
  const which = keywords.length === 1 ? 'A keyword has' : `${keywords.length} keywords have`
  return {
    subject: `${which} reached the monthly limit in ${workspace} on Earshot`,
    text: letter(
      `${which} reached the monthly limit in ${workspace} on Earshot and ` +
        `collect${keywords.length === 1 ? 's' : ''} nothing more this month:`,
      listOfCapped(keywords),
      `Matching resumes on ${resumesOn}. To resume now, raise or remove the limit (cap) with PATCH ` +
        '/v1/keywords/{id} or the tool update_keyword. Where the welcome credit sets it, top up with ' +
        `${HOW_TO_TOP_UP}. The API reference describes them:`,
      reference,
      'Further keywords are reported together, at most once a day.',
    ),
  }
}

function listOfCapped(keywords: CappedMail['keywords']): string {
  const shown = keywords.slice(0, CAPPED_SHOWN).map(({ term, mentions }) => {
    const count = mentions === null ? '' : `: ${counted(mentions, '1 mention', 'mentions')}`
    return `- ${plainName(term, 'a keyword')}${count}`
  })
  const more = keywords.length - shown.length
  return [...shown, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n')
}

const NAME_CHARACTERS_MAX = 60

/**
 * Makes a name safe in a mail: one short, quoted line without invisible or bidirectional control characters. Nothing in
 * it becomes a link in mail programs, since a stranger's name must not lead readers anywhere.
 */
export function plainName(name: string, unnamed: string): string {
  const line = cleanLine(
    name.replace(/\p{Zl}|\p{Zp}/gu, ' ').replace(/\p{C}/gu, (text) => (/\s/.test(text) ? ' ' : '')),
  )
  const unlinked = line.replace(/["“”«»]/g, "'").replace(/([.:/@\\。．｡])(?=\S)/gu, '$1 ')
  return unlinked === '' ? unnamed : `“${excerpt(unlinked, NAME_CHARACTERS_MAX).trim()}”`
}

export function letter(...paragraphs: readonly string[]): string {
  return `${paragraphs.join('\n\n')}\n`
}

/** A whole number of the largest fitting unit: 15 minutes, an hour, a day. */
function inWords(milliseconds: number): string {
  if (milliseconds % DAY_MS === 0) return counted(milliseconds / DAY_MS, 'a day', 'days')
  if (milliseconds % HOUR_MS === 0) return counted(milliseconds / HOUR_MS, 'an hour', 'hours')
  return counted(milliseconds / MINUTE_MS, 'a minute', 'minutes')
}

function counted(count: number, text: string, many: string): string {
  return count === 1 ? text : `${count} ${many}`
}
