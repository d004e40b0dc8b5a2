import { createHash } from 'node:crypto'
import { z } from 'zod'
import { foldEmail } from '../../domain/account/account.ts'
import { contentOf } from '../../domain/delivery/content.ts'
import { type Outgoing, ruleNames } from '../../domain/delivery/envelope.ts'
import { HIDDEN_VALUE } from '../../domain/delivery/mask.ts'
import { refuseField } from '../../domain/refusal/refusal.ts'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import type { Mail, MailOutcome, MailTransport } from '../../kernel/mail.ts'
import { type Sender, type SendOutcome, type SendResult, STOPPED } from '../contract.ts'
import { letterOf } from './letter.ts'

export interface Addressee {
  email: string
  unsubscribeUrl: string
}

/** These recipients get no further mail. */
export interface RecipientTally {
  accepted: number
  refused: number
  /** In flight since an earlier attempt. */
  underway: number
}

export interface EmailConfig {
  addressees: readonly Addressee[]
  tally: RecipientTally
  /** In quotes, or words for it. */
  workspace: string
  /** The permanent List-Id, in the form of a host name. */
  listId: string
  /** Called when the outcome is known, possibly after the attempt. Never rejects. */
  note(email: string, outcome: MailOutcome): Promise<void>
}

export interface EmailRequest extends Pick<EmailConfig, 'tally' | 'note'> {
  mails: readonly Mail[]
  /** Links that would let others act for the reader. */
  hidden: readonly string[]
}

export interface EmailSenderOptions {
  transport: Pick<MailTransport, 'send'>
  publicUrl: string
  clock: Clock
  /** In milliseconds, 8,000 by default. */
  limitMs?: number
}

/** A later reply is found by the next attempt. */
export const ANSWER_LIMIT_MS = 8 * SECOND_MS

const storedConfig = z.object({ recipients: z.array(z.object({ email: z.string() })).min(1) })

/** Recipients are set before each attempt. */
const NOBODY: EmailConfig = {
  addressees: [],
  tally: { accepted: 0, refused: 0, underway: 0 },
  workspace: 'a workspace',
  listId: 'earshot.invalid',
  note: () => Promise.resolve(),
}

export function createEmailSender(options: EmailSenderOptions): Sender<EmailConfig, EmailRequest> {
  return {
    readConfig: (stored) => (storedConfig.safeParse(stored).success ? NOBODY : refuseField('config', 'cannot be read')),
    render: (outgoing, config) => mailsOf(outgoing, config, options.publicUrl),
    shown,
    send: (request, signal) => send(request, options, signal),
  }
}

function mailsOf(outgoing: Outgoing, config: EmailConfig, publicUrl: string): EmailRequest {
  const { addressees, tally, workspace, listId, note } = config
  const letter = letterOf(contentOf(outgoing, publicUrl), ruleNames(outgoing))
  const mails = addressees.map(({ email, unsubscribeUrl }): Mail => {
    const reason = `This mail goes to ${email}, a recipient of alerts from ${workspace} on Earshot.`
    return {
      to: email,
      ...letter({ reason, unsubscribeUrl }),
      headers: {
        'List-Id': `<${listId}>`,
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
      id: messageIdOf(outgoing.id, email),
    }
  })
  return { mails, tally, note, hidden: addressees.map(({ unsubscribeUrl }) => unsubscribeUrl) }
}

/** The same in all attempts, for mail programs to recognize duplicates; hides the address. */
function messageIdOf(deliveryId: string, email: string): string {
  return `${deliveryId}.${createHash('sha256')
    .update(`${deliveryId} ${foldEmail(email)}`)
    .digest('hex')
    .slice(0, 16)}`
}

/** Mails differ only by reader. */
function shown({ mails, hidden }: EmailRequest) {
  const [first] = mails
  if (first === undefined) return { headers: {}, body: '' }
  const masked = (text: string) => hidden.reduce((rest, text) => rest.replaceAll(text, HIDDEN_VALUE), text)
  const headers = Object.fromEntries(Object.entries(first.headers ?? {}).map(([name, value]) => [name, masked(value)]))
  return {
    headers: { To: mails.map(({ to }) => to).join(', '), Subject: first.subject, 'Message-ID': first.id, ...headers },
    body: masked(first.text),
  }
}

async function send(
  { mails, tally, note }: EmailRequest,
  { transport, clock, limitMs = ANSWER_LIMIT_MS }: EmailSenderOptions,
  signal: AbortSignal,
): Promise<SendResult> {
  const beganMs = clock.monotonicMs()
  const ended = (outcome: SendOutcome): SendResult => ({
    ...outcome,
    durationMs: Math.round(clock.monotonicMs() - beganMs),
    replyExcerpt: null,
  })
  if (signal.aborted) {
    await Promise.all(mails.map(({ to }) => note(to, { outcome: 'temporary', reason: STOPPED })))
    return ended(temporary(STOPPED))
  }
  const outcomes: (MailOutcome | null)[] = mails.map(() => null)
  const all = mails.map(async (mail, at) => {
    const outcome = await transport.send(mail)
    await note(mail.to, outcome)
    outcomes[at] = outcome
  })
  const end = await firstOf(Promise.all(all), clock, limitMs, signal)
  return ended(end === 'stopped' ? temporary(STOPPED) : outcomeOf(outcomes, tally))
}

function firstOf(
  all: Promise<unknown>,
  clock: Clock,
  limitMs: number,
  signal: AbortSignal,
): Promise<'done' | 'late' | 'stopped'> {
  return new Promise((resolve) => {
    const end = (how: 'done' | 'late' | 'stopped') => {
      putOff()
      signal.removeEventListener('abort', stop)
      resolve(how)
    }
    const stop = () => end('stopped')
    const putOff = clock.alarm(limitMs, () => end('late'))
    signal.addEventListener('abort', stop, { once: true })
    void all.then(() => end('done'))
  })
}

const LATE = 'the mail server has not answered yet'

/** Done when no recipient remains, and delivered if the server accepted any. Null is a mail in flight. */
export function outcomeOf(
  outcomes: readonly (MailOutcome | null)[],
  { accepted, refused, underway }: RecipientTally,
): SendOutcome {
  const total = outcomes.length + accepted + refused + underway
  const told = (count: number, reason: string) => (total === 1 ? reason : `${count} of ${total} recipients: ${reason}`)
  const open = outcomes.filter(
    (outcome) => outcome === null || outcome.outcome === 'temporary' || outcome.outcome === 'unanswered',
  )
  if (open.length + underway > 0) {
    const failed = open.find((outcome) => outcome !== null)
    return temporary(told(open.length + underway, failed === undefined || failed === null ? LATE : reasonOf(failed)))
  }
  if (accepted > 0 || outcomes.some((outcome) => outcome?.outcome === 'sent'))
    return { outcome: 'delivered', status: null }
  const last = outcomes.find((outcome) => outcome !== null)
  return {
    outcome: 'permanent',
    reason: told(total, last === undefined || last === null ? 'the mail server refused the address' : reasonOf(last)),
    status: null,
  }
}

function reasonOf(outcome: MailOutcome): string {
  return outcome.outcome === 'sent' ? 'sent' : outcome.reason
}

function temporary(reason: string): SendOutcome {
  return { outcome: 'temporary', reason, retryAfterSeconds: null, status: null }
}
