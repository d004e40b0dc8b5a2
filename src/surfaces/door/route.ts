import { INSPECTION_PATH } from '../../domain/channel/inspection.ts'
import { secretOf } from '../../kernel/secrets.ts'
import { cookieName, cookieOf } from '../auth/browser.ts'
import { MARK_MAX, type Mark, markOfSecret } from '../cells/contract.ts'
import { FORM_LIMIT, SIGNED_LIMIT } from '../http/body.ts'
import { bearerOf } from '../http/headers.ts'
import type { Head } from './head.ts'

export interface ToHolder {
  to: 'holder'
  /** The first that a cell has decides. */
  marks: readonly Mark[]
  /** Where a request goes that nobody has: to the browser's cell or any other, or where new accounts are made. */
  otherwise: 'any' | 'new'
  /** Whether a request whose cell may be down is refused, instead of going where nobody's go. */
  isNeeded: boolean
  /** A registered client that the cell must know. */
  client?: string | null
}

export type Plan =
  /** Every cell answers the same. */
  | { to: 'any' }
  | ToHolder
  /** Cells with an account of this address; with `tries`, one after the other until one accepts the password. */
  | { to: 'person'; email: string; tries: boolean; otherwise: 'any' | 'new' }
  /** Messages of providers that may concern several cells. */
  | { to: 'everyone' }
  /** The body says where. */
  | { to: 'body'; limit: number; plan: (text: string) => Plan }

const ANY: Plan = { to: 'any' }
const EVERYONE: Plan = { to: 'everyone' }

/** The same in every cell of a version, whoever asks. */
const SHARED = /^\/(?:assets\/|docs(?:\/|$)|guide(?:\/|$)|llms(?:-full)?\.txt$|\.well-known\/|v1\/openapi\.json$)/
const API = /^\/(?:v1|mcp|compat)(?:\/|$)/

export function planFor(head: Head, publicUrl: string): Plan {
  const { path, headers } = head
  if (SHARED.test(path)) return ANY
  const session = sessionMarks(head, publicUrl)
  const special = SPECIAL.find(({ pattern }) => pattern.test(path))
  if (special !== undefined) return special.plan(head, session)
  if (!API.test(path) || headers.authorization === undefined) return holder(session)
  const bearer = bearerOf(headers.authorization)
  const secret = bearer?.kind === 'bearer' ? secretOf(bearer.text) : null
  return holder(secret === null ? [] : [markOfSecret(secret)])
}

function holder(marks: readonly Mark[], more: Partial<Omit<ToHolder, 'to' | 'marks'>> = {}): ToHolder {
  return { to: 'holder', marks, otherwise: 'any', isNeeded: true, ...more }
}

/** Pages that also serve people who are not signed in. */
function optional(marks: readonly Mark[], otherwise: ToHolder['otherwise'] = 'any'): ToHolder {
  return holder(marks, { otherwise, isNeeded: false })
}

function sessionMarks({ headers }: Head, publicUrl: string): Mark[] {
  const secret = secretOf(cookieOf(headers, cookieName('session', publicUrl)) ?? '')
  return secret?.kind === 'ses' ? [markOfSecret(secret)] : []
}

function secretMarks(text: string | null | undefined): Mark[] {
  const secret = secretOf(text ?? '')
  return secret === null ? [] : [markOfSecret(secret)]
}

function marks(kind: Mark['kind'], text: string | null | undefined): Mark[] {
  return text && text.length <= MARK_MAX ? [{ kind, text }] : []
}

/** The part of a path behind the prefix, up to the next slash. */
function partAfter({ path }: Head, prefix: string): string {
  return path.slice(prefix.length).split('/')[0]!
}

function byForm(plan: (form: URLSearchParams) => Plan): Plan {
  return { to: 'body', limit: FORM_LIMIT, plan: (text) => plan(new URLSearchParams(text)) }
}

function byJson(plan: (value: unknown) => Plan): Plan {
  return { to: 'body', limit: SIGNED_LIMIT, plan: (text) => plan(jsonIn(text)) }
}

/** Null for text that is no JSON, which the cell refuses. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

interface Special {
  pattern: RegExp
  plan(head: Head, session: readonly Mark[]): Plan
}

const isPost = ({ method }: Head) => method === 'POST'

/** For pages with an address field. */
function byEmail(tries: boolean, otherwise: 'any' | 'new'): Special['plan'] {
  return (head, session) =>
    isPost(head)
      ? byForm((form) => ({ to: 'person', email: (form.get('email') ?? '').trim(), tries, otherwise }))
      : optional(session, otherwise)
}

const SPECIAL: readonly Special[] = [
  { pattern: /^\/$/, plan: (_head, session) => optional(session) },
  { pattern: /^\/sign-in$/, plan: byEmail(true, 'any') },
  { pattern: /^\/sign-(?:in\/link|out)$/, plan: (head, session) => signOutOrLink(head, session) },
  { pattern: /^\/sign-up$/, plan: byEmail(false, 'new') },
  { pattern: /^\/reset$/, plan: byEmail(false, 'any') },
  { pattern: /^\/sign-in\/link\//, plan: (head) => holder(secretMarks(partAfter(head, '/sign-in/link/'))) },
  { pattern: /^\/sign-up\//, plan: (head) => holder(secretMarks(partAfter(head, '/sign-up/'))) },
  { pattern: /^\/reset\//, plan: (head) => holder(secretMarks(partAfter(head, '/reset/'))) },
  {
    pattern: /^\/sign-in\//,
    plan: ({ query }) => optional(marks('invitation', query.get('invitation')), 'new'),
  },
  { pattern: /^\/invitations\//, plan: (head) => holder(marks('invitation', partAfter(head, '/invitations/'))) },
  { pattern: /^\/email\//, plan: ({ query }) => holder(marks('mail_link', query.get('token'))) },
  { pattern: new RegExp(`^${INSPECTION_PATH}`), plan: (head) => holder(secretMarks(partAfter(head, INSPECTION_PATH))) },
  { pattern: /^\/v1\/views\/[^/]+\/feed\.xml$/, plan: byFeed },
  { pattern: /^\/oauth\/register$/, plan: () => optional([], 'new') },
  { pattern: /^\/oauth\/authorize$/, plan: toAuthorize },
  { pattern: /^\/oauth\/token$/, plan: (head) => (isPost(head) ? byForm((form) => byGrant(form, head)) : ANY) },
  { pattern: /^\/oauth\/revoke$/, plan: (head) => (isPost(head) ? byForm((form) => byGrant(form, head)) : ANY) },
  { pattern: /^\/hooks\/slack\/oauth$/, plan: fromSlack },
  { pattern: /^\/hooks\/slack\/actions$/, plan: () => byPress },
  { pattern: /^\/hooks\/telegram$/, plan: () => byJson(byUpdate) },
  { pattern: /^\/hooks\//, plan: () => EVERYONE },
]

function signOutOrLink(head: Head, session: readonly Mark[]): Plan {
  return head.path === '/sign-out' ? optional(session) : byEmail(false, 'any')(head, session)
}

function byFeed(head: Head, session: readonly Mark[]): Plan {
  const [view, token] = [partAfter(head, '/v1/views/'), head.query.get('token')]
  return holder(token === null ? session : marks('feed', `${view} ${token}`))
}

function toAuthorize(head: Head, session: readonly Mark[]): Plan {
  const known = (client: string | null) => holder([...session, ...marks('client', client)], { client })
  return isPost(head) ? byForm((form) => known(form.get('client_id'))) : known(head.query.get('client_id'))
}

/** A code or token decides, else the client. */
function byGrant(form: URLSearchParams, { headers }: Head): Plan {
  const [, basic] = /^Basic +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  const named =
    form.get('client_id') ??
    Buffer.from(basic ?? '', 'base64')
      .toString()
      .split(':')[0]
  return holder([
    ...secretMarks(form.get('code') ?? form.get('refresh_token') ?? form.get('token')),
    ...marks('client', named),
  ])
}

function fromSlack(head: Head, session: readonly Mark[]): Plan {
  const back = (state: string | null) => holder([...marks('slack_state', state), ...session])
  return isPost(head) ? byForm((form) => back(form.get('state'))) : back(head.query.get('state'))
}

/** The team may be connected in several cells, and the mention is in one. */
const byPress: Plan = {
  to: 'body',
  limit: SIGNED_LIMIT,
  plan(text) {
    const { team, actions } = (jsonIn(new URLSearchParams(text).get('payload') ?? '') ?? {}) as {
      team?: { id?: unknown }
      actions?: unknown
    }
    const pressed = Array.isArray(actions) ? (actions as { value?: unknown }[]) : []
    const mentions = pressed.flatMap((action) => (typeof action?.value === 'string' ? [action.value] : []))
    return holder(mentions.slice(0, 5).flatMap((mention) => marks('slack_mention', `${team?.id} ${mention}`)))
  },
}

/** One cell answers in the chat; that a chat was left or moved is for all. */
function byUpdate(update: unknown): Plan {
  const { message, my_chat_member } = (update ?? {}) as {
    message?: { text?: unknown; migrate_to_chat_id?: unknown } | null
    my_chat_member?: unknown
  }
  if (my_chat_member !== undefined || message?.migrate_to_chat_id !== undefined) return EVERYONE
  const [, token] = /^\/start(?:@\w{1,64})?\s+(\S{1,64})\s*$/.exec(`${message?.text ?? ''}`) ?? []
  return holder(secretMarks(token))
}
