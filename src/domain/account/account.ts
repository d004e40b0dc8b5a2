import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts'
import { cleanLine } from '../../kernel/text.ts'
import { type Refusal, refuseField } from '../refusal/refusal.ts'

/** Lifetime of a session since the person's last request. */
export const SESSION_MS = 30 * DAY_MS
export const LINK_MS = { sign_up: DAY_MS, sign_in: 15 * MINUTE_MS, reset: HOUR_MS } as const
export type LinkPurpose = keyof typeof LINK_MS
/** Limits the mail that others can cause, while every link that arrives works. */
export const LIVE_LINKS_MAX = 5
export const FIRST_PASSWORD_MS = 15 * MINUTE_MS
export const OPERATOR_LINK_MS = HOUR_MS
export const OWN_WORKSPACES_MAX = 20

/** Lengths in characters. */
export const ACCOUNT_LIMITS = { email: 254, name: 80, passwordMin: 10, passwordMax: 200 } as const

export interface AccountInput {
  email: string
  name: string
  password: string
}

export interface CheckedAccount {
  email: string
  emailFolded: string
  name: string
}

export function checkAccount({ email, name, password }: AccountInput): CheckedAccount | Refusal<'validation_error'> {
  const emailFolded = foldEmail(email)
  if (emailFolded === null) return refuseField('email', EMAIL_PROBLEM)
  const namesProblem = nameProblem(name)
  if (namesProblem !== null) return refuseField('name', namesProblem)
  const passwordsProblem = passwordProblem(password, emailFolded)
  if (passwordsProblem !== null) return refuseField('password', passwordsProblem)
  return { email: email.trim(), emailFolded, name: cleanLine(name) }
}

export const EMAIL_PROBLEM = 'must be an e-mail address'

/** The form under which an address is unique; null for an invalid one. */
export function foldEmail(email: string): string | null {
  const trimmed = email.trim()
  // Checked before lower-casing, which turns some non-ASCII letters into ASCII.
  return trimmed.length <= ACCOUNT_LIMITS.email && ADDRESS.test(trimmed) ? trimmed.toLowerCase() : null
}

/** Browsers' syntax (HTML, "valid e-mail address"), with RFC 5321's limit of the local part. */
const LOCAL_PART = /[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}/.source
const DOMAIN_LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'
const ADDRESS = new RegExp(String.raw`^${LOCAL_PART}@${DOMAIN_LABEL}(?:\.${DOMAIN_LABEL})*$`)

/** The problem as text; null for a valid name. Store `cleanLine(text)`. */
export function nameProblem(text: string): string | null {
  const name = cleanLine(text)
  if (!/[\p{L}\p{N}\p{P}\p{S}]/u.test(name)) return 'must not be empty'
  if ([...name].length > ACCOUNT_LIMITS.name) return `must have at most ${ACCOUNT_LIMITS.name} characters`
  // Names appear in mails to strangers.
  if (/:\/\/|\bwww\./i.test(name)) return 'must not hold a web address'
  if (/[\u202a-\u202e\u2066-\u2069]/.test(name)) return 'must not contain characters that change the writing direction'
  return null
}

/** The local part of the address when the provider's name is not valid. */
export function nameFromProvider(name: string, email: string): string {
  return nameProblem(name) === null ? cleanLine(name) : email.slice(0, email.indexOf('@'))
}

/** The problem as text; null for a valid password. */
export function passwordProblem(password: string, email: string): string | null {
  const { length } = [...password]
  if (length < ACCOUNT_LIMITS.passwordMin) return `must have at least ${ACCOUNT_LIMITS.passwordMin} characters`
  if (length > ACCOUNT_LIMITS.passwordMax) return `must have at most ${ACCOUNT_LIMITS.passwordMax} characters`
  const folded = password.normalize('NFKC').trim().toLowerCase()
  if (folded === '') return 'must not consist of spaces'
  const address = email.trim().toLowerCase()
  if (folded === address || folded === address.slice(0, address.indexOf('@'))) return 'must not be the e-mail address'
  if (COMMONEST.has(folded) || /^(.)\1*$/u.test(folded)) return 'is a common password; choose another one'
  return null
}

/** From lists of leaked passwords, ten characters or more. */
const COMMONEST = new Set([
  '0123456789',
  '0987654321',
  '1020304050',
  '1122334455',
  '1234554321',
  '123456789a',
  '1234567890',
  '12345678910',
  '123123123123',
  '1357924680',
  '147258369147',
  '1q2w3e4r5t',
  '1q2w3e4r5t6y',
  '1qaz2wsx3edc',
  '9876543210',
  'abc1234567',
  'abcdefghij',
  'admin12345',
  'admin123456',
  'administrator',
  'asdfghjkl1',
  'basketball',
  'changeme123',
  'iloveyou123',
  'letmein123',
  'password01',
  'password12',
  'password123',
  'password1234',
  'password12345',
  'passwordpassword',
  'p@ssw0rd123',
  'q1w2e3r4t5',
  'q1w2e3r4t5y6',
  'qwerasdfzxcv',
  'qwerty1234',
  'qwerty12345',
  'qwerty123456',
  'qwertyuiop',
  'qwertyuiop123',
  'welcome123',
  'welcome1234',
  'zaq12wsxcde3',
])
