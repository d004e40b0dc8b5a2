import type { z } from 'zod'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { SlackFault } from '../../domain/slack/fault.ts'
import type { SlackConversation, SlackGrant, SlackMessage } from '../../domain/slack/slack.ts'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { cleanLine, excerpt } from '../../kernel/text.ts'
import type { SlackApp } from '../contract.ts'
import { readRetryAfter } from '../http-attempt.ts'
import { type SlackApi, type SlackCall, UNREADABLE } from './api.ts'
import { isTokenWorthless, mayPass } from './outcome.ts'
import { actionIn, eventIn } from './read-message.ts'
import { answeredBlocks } from './render.ts'
import { isSignedBySlack } from './signature.ts'
import * as wire from './wire.ts'
import { escaped } from './words.ts'

/** Post messages and list channels. */
export const SCOPES = ['chat:write', 'channels:read', 'groups:read'] as const

export interface SlackAppOptions {
  clientId: string
  clientSecret: string
  signingSecret: string
  /** `apiUrl` ends with a slash; `authorizeUrl` is the page of authorization. */
  apiUrl: string
  authorizeUrl: string
  api: SlackApi
  clock: Clock
  log: Log
}

/** At most 4,000 listed channels. */
const PAGES_MAX = 20
const PAGE = 200
/** Limits all pages of a list together. */
const LIST_LIMIT_MS = 20 * SECOND_MS
const LINE_MAX = 300

const NEVER = new AbortController().signal

export function createSlackApp(options: SlackAppOptions): SlackApp {
  return {
    authorizeUrl: (state, redirectUri) => authorizeAddress(options, state, redirectUri),
    exchange: (code, redirectUri) => exchange(options, code, redirectUri),
    listChannels: (token) => listChannels(options, token),
    revoke: (token) => revoke(options, token),
    readAction: (message) => (isOfSlack(options, message) ? actionIn(message, options.apiUrl) : BADLY_SIGNED),
    readEvent: (message) => (isOfSlack(options, message) ? eventIn(message) : BADLY_SIGNED),
    answer: (action, answer) => answerAction(options, action, answer),
    close: options.api.close,
  }
}

function isOfSlack({ signingSecret, clock }: SlackAppOptions, message: SlackMessage): boolean {
  return isSignedBySlack(message, signingSecret, clock.now())
}

const BADLY_SIGNED: Refusal<'invalid_signature'> = refuse('invalid_signature', 'The signature is wrong or too old.')

function authorizeAddress({ authorizeUrl, clientId }: SlackAppOptions, state: string, redirectUri: string): string {
  const url = new URL(authorizeUrl)
  url.search = new URLSearchParams({
    client_id: clientId,
    scope: SCOPES.join(','),
    redirect_uri: redirectUri,
    state,
  }).toString()
  return url.href
}

async function exchange(options: SlackAppOptions, code: string, redirectUri: string): Promise<SlackGrant | SlackFault> {
  const { clientId, clientSecret, api } = options
  const parameters = { client_id: clientId, client_secret: clientSecret, code, redirect_uri: redirectUri }
  const call = await api.call('oauth.v2.access', parameters, { token: null, signal: NEVER })
  const granted = readAnswer(options, 'oauth.v2.access', wire.access, call)
  if ('fault' in granted) return granted
  // An organization install has no team to list channels of; tokens with a refresh token expire within the day.
  if (granted.team === null || granted.is_enterprise_install === true)
    return { fault: 'refused', code: 'organisation_install' }
  if (granted.refresh_token !== undefined) return { fault: 'refused', code: 'token_rotation' }
  const { id, name } = granted.team
  const scopes = granted.scope.split(',').filter((scope) => /^[\w:.-]{1,60}$/.test(scope))
  return {
    team: { id, name: excerpt(cleanLine(name), 100) || id },
    token: granted.access_token,
    scopes: scopes.slice(0, 50),
  }
}

async function listChannels(options: SlackAppOptions, token: string): Promise<SlackConversation[] | SlackFault> {
  const signal = AbortSignal.timeout(LIST_LIMIT_MS)
  const found: SlackConversation[] = []
  let cursor = ''
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const call = await options.api.call('conversations.list', pageAfter(cursor), { token, signal })
    const listed = readAnswer(options, 'conversations.list', wire.conversations, call)
    if ('fault' in listed) return listed
    found.push(...listed.channels.filter(({ is_archived: isArchived }) => isArchived !== true).map(toConversation))
    cursor = listed.response_metadata?.next_cursor ?? ''
    if (cursor === '') return found
  }
  return found
}

function pageAfter(cursor: string) {
  return {
    types: 'public_channel,private_channel',
    exclude_archived: true,
    limit: PAGE,
    ...(cursor === '' ? {} : { cursor }),
  }
}

function toConversation({
  id,
  name,
  is_private: isPrivate,
}: z.output<typeof wire.conversations>['channels'][number]): SlackConversation {
  return { id, name: excerpt(cleanLine(name), 100), isPrivate: isPrivate ?? false }
}

async function revoke(options: SlackAppOptions, token: string): Promise<SlackFault | null> {
  const call = await options.api.call('auth.revoke', {}, { token, signal: NEVER })
  return call.code === null || isTokenWorthless(call) ? null : faultOf(options, 'auth.revoke', call)
}

async function answerAction(
  options: SlackAppOptions,
  { answerAt, blocks }: Parameters<SlackApp['answer']>[0],
  { line, isDone }: Parameters<SlackApp['answer']>[1],
): Promise<SlackFault | null> {
  if (answerAt === null) return null
  const text = escaped(line, LINE_MAX)
  const body = isDone
    ? { replace_original: true, text, blocks: answeredBlocks(blocks, line) }
    : { replace_original: false, response_type: 'ephemeral', text }
  const reply = await options.api.answer(answerAt, body)
  if (!('failed' in reply) && reply.status === 200) return null
  return faultOf(options, 'the answer to a button', { reply, code: UNREADABLE, body: {} })
}

function readAnswer<Shape extends z.ZodType>(
  options: SlackAppOptions,
  what: string,
  shape: Shape,
  call: SlackCall,
): z.output<Shape> | SlackFault {
  if (call.code !== null) return faultOf(options, what, call)
  const parsed = shape.safeParse(call.body)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, code }) => `${path.join('.')}: ${code}`)
  options.log.error({ event: 'slack.reply_invalid', call: what, problems }, 'Slack replied in an unexpected form')
  return { fault: 'unavailable', code: UNREADABLE }
}

function faultOf({ log, clock }: SlackAppOptions, what: string, call: SlackCall): SlackFault {
  const { reply } = call
  const code = call.code ?? UNREADABLE
  const status = 'failed' in reply ? null : reply.status
  const reason = 'failed' in reply && 'reason' in reply.failed ? { reason: reply.failed.reason } : {}
  log.warn({ event: 'slack.call_failed', call: what, code, status, ...reason }, 'A call to Slack failed')
  const wait = 'failed' in reply ? null : readRetryAfter(reply.retryAfter, clock.now())
  return { fault: faultKind(call), code, ...(wait && { retryAfterSeconds: wait }) }
}

function faultKind(call: SlackCall): SlackFault['fault'] {
  if (isTokenWorthless(call)) return 'revoked'
  return mayPass(call) ? 'unavailable' : 'refused'
}
