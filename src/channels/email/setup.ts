import { EMAIL_PROBLEM, foldEmail } from '../../domain/account/account.ts'
import { isRefusal, type Refusal, refuseField } from '../../domain/refusal/refusal.ts'
import { excerpt } from '../../kernel/text.ts'
import { checkEvents, checkLabel, MAX_LABEL_LENGTH } from '../checked-settings.ts'
import type { ChannelSettings, ChannelSetup } from '../contract.ts'

export const MAX_RECIPIENTS = 20

/** `recipients` are the current ones. */
export interface EmailInput {
  emails?: readonly string[] | undefined
  recipients?: readonly EmailRecipient[] | undefined
  label?: string | undefined
  events?: readonly string[] | undefined
  url?: string | undefined
  headers?: Readonly<Record<string, string>> | undefined
}

export interface EmailRecipient {
  /** As written by the caller. */
  email: string
  /** Null until the address confirmed. */
  confirmedAt: string | null
}

export interface EmailDestination {
  recipients: EmailRecipient[]
}

export const emailSetup: ChannelSetup<EmailInput, EmailDestination> = {
  create: (input) => settingsOf(input, input.recipients ?? []),
  change(current, input) {
    const settings = settingsOf(
      { label: current.label, events: current.events, ...onlyGiven(input) },
      current.config.recipients,
    )
    // A removed recipient gets no further mail; deliveries to the others go on.
    return isRefusal(settings) ? settings : { settings, cancelsUnsent: false }
  },
  newSecret: () => null,
}

function onlyGiven(input: Partial<EmailInput>): Partial<EmailInput> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
}

/** Keeps known recipients, all if `emails` is absent. */
function settingsOf(
  { emails, label, events = [], url, headers }: EmailInput,
  known: readonly EmailRecipient[],
): ChannelSettings<EmailDestination> | Refusal<'validation_error'> {
  if (url !== undefined) return refuseField('url', 'is not a field of e-mail channels')
  if (headers !== undefined) return refuseField('headers', 'is not a field of e-mail channels')
  const recipients = emails === undefined ? [...known] : recipientsOf(emails, known)
  if (isRefusal(recipients)) return recipients
  if (recipients.length === 0 || recipients.length > MAX_RECIPIENTS)
    return refuseField('emails', `must be 1 to ${MAX_RECIPIENTS} addresses`)
  const checkedLabel = checkLabel(label ?? usualLabel(recipients))
  if (isRefusal(checkedLabel)) return checkedLabel
  const checkedEvents = checkEvents('email', events)
  return isRefusal(checkedEvents)
    ? checkedEvents
    : { label: checkedLabel, config: { recipients }, events: checkedEvents }
}

function recipientsOf(
  emails: readonly string[],
  known: readonly EmailRecipient[],
): EmailRecipient[] | Refusal<'validation_error'> {
  const before = new Map(known.map((recipient) => [foldEmail(recipient.email), recipient]))
  const recipients = new Map<string, EmailRecipient>()
  for (const [at, email] of emails.entries()) {
    const folded = foldEmail(email)
    if (folded === null) return refuseField(`emails.${at}`, EMAIL_PROBLEM)
    if (!recipients.has(folded))
      recipients.set(folded, before.get(folded) ?? { email: email.trim(), confirmedAt: null })
  }
  return [...recipients.values()]
}

function usualLabel(recipients: readonly EmailRecipient[]): string {
  const more = recipients.length > 1 ? ` and ${recipients.length - 1} more` : ''
  return `${excerpt(recipients[0]!.email, MAX_LABEL_LENGTH - more.length)}${more}`
}
