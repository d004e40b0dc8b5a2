import type { z } from 'zod'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { SlackFault } from '../../domain/slack/fault.ts'
import type { SlackAction, SlackConversation, SlackEvent, SlackMessage } from '../../domain/slack/slack.ts'
import { canParse } from '../../kernel/can-parse.ts'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { cleanLine, excerpt } from '../../kernel/text.ts'
import type { SlackApp } from '../contract.ts'
import { readRetryAfter } from '../http-attempt.ts'
import { type SlackApi, type SlackCall, UNREADABLE } from './api.ts'
import { isTokenWorthless, mayPass } from './outcome.ts'
import { answeredBlocks, PRESS_OF } from './render.ts'
import { isSigned } from './signature.ts'
import * as wire from './wire.ts'
import { escaped } from './words.ts'

/** What the app may do in a team: post, and list the channels that people can choose. */
export const SCOPES = ['chat:write', 'channels:read', 'groups:read'] as const

export interface SlackAppOptions {
  clientId: string
  clientSecret: string
  /** What Slack signs its messages with. */
  signingSecret: string
  /** Where the Web API is, with a slash at the end, and where people allow the app. */
  apiUrl: string
  authorizeUrl: string
  api: SlackApi
  clock: Clock
  log: Log
}

/** Channels of a team that are listed at most: so many pages of so many. */
const PAGES_MAX = 20
const PAGE = 200
/** A list is as many calls as it has pages; together they take no longer. */
const LIST_LIMIT_MS = 20 * SECOND_MS
/** Characters of what is shown below a button. */
const LINE_MAX = 300

const NEVER = new AbortController().signal

export function createSlackApp({
  clientId,
  clientSecret,
  signingSecret,
  apiUrl,
  authorizeUrl,
  api,
  clock,
  log,
}: SlackAppOptions): SlackApp {
  function faultOf(what: string, call: SlackCall): SlackFault {
    const status = 'failed' in call.reply ? null : call.reply.status
    const code = call.code ?? UNREADABLE
    log.warn(
      {
        call: what,
        code,
        status,
        ...('failed' in call.reply && 'reason' in call.reply.failed ? { reason: call.reply.failed.reason } : {}),
      },
      'Slack did not do what was asked',
    )
    const wait = 'failed' in call.reply ? null : readRetryAfter(call.reply.retryAfter, clock.now())
    return {
      fault: isTokenWorthless(call) ? 'revoked' : mayPass(call) ? 'unavailable' : 'refused',
      code,
      ...(wait && { retryAfterSeconds: wait }),
    }
  }

  /** Reads of an answer what is relied on. */
  function read<Shape extends z.ZodType>(what: string, shape: Shape, call: SlackCall): z.output<Shape> | SlackFault {
    if (call.code !== null) return faultOf(what, call)
    const parsed = shape.safeParse(call.body)
    if (parsed.success) return parsed.data
    const problems = parsed.error.issues.map(({ path, code }) => `${path.join('.')}: ${code}`)
    log.error({ call: what, problems }, 'an answer of Slack has not the expected form')
    return { fault: 'unavailable', code: UNREADABLE }
  }

  return {
    authorizeUrl(state, redirectUri) {
      const url = new URL(authorizeUrl)
      url.search = new URLSearchParams({
        client_id: clientId,
        scope: SCOPES.join(','),
        redirect_uri: redirectUri,
        state,
      }).toString()
      return url.href
    },
    async exchange(code, redirectUri) {
      const parameters = { client_id: clientId, client_secret: clientSecret, code, redirect_uri: redirectUri }
      const granted = read(
        'oauth.v2.access',
        wire.access,
        await api.call('oauth.v2.access', parameters, { token: null, signal: NEVER }),
      )
      if ('fault' in granted) return granted
      // A whole organisation has no team of its own whose channels could be listed; tokens that run out would end
      // within the day.
      if (granted.team === null || granted.is_enterprise_install === true)
        return { fault: 'refused', code: 'organisation_install' }
      if (granted.refresh_token !== undefined) return { fault: 'refused', code: 'token_rotation' }
      const { id, name } = granted.team
      const scopes = granted.scope.split(',').flatMap((scope) => (/^[\w:.-]{1,60}$/.test(scope) ? [scope] : []))
      return {
        team: { id, name: excerpt(cleanLine(name), 100) || id },
        token: granted.access_token,
        scopes: scopes.slice(0, 50),
      }
    },
    async listChannels(token) {
      const signal = AbortSignal.timeout(LIST_LIMIT_MS)
      const found: SlackConversation[] = []
      let cursor = ''
      for (let page = 0; page < PAGES_MAX; page += 1) {
        const parameters = {
          types: 'public_channel,private_channel',
          exclude_archived: true,
          limit: PAGE,
          ...(cursor === '' ? {} : { cursor }),
        }
        const listed = read(
          'conversations.list',
          wire.conversations,
          await api.call('conversations.list', parameters, { token, signal }),
        )
        if ('fault' in listed) return listed
        const channels = listed.channels.filter(({ is_archived: isArchived }) => isArchived !== true)
        found.push(
          ...channels.map(({ id, name, is_private: isPrivate }) => ({
            id,
            name: excerpt(cleanLine(name), 100),
            isPrivate: isPrivate ?? false,
          })),
        )
        cursor = listed.response_metadata?.next_cursor ?? ''
        if (cursor === '') return found
      }
      return found
    },
    async revoke(token) {
      const call = await api.call('auth.revoke', {}, { token, signal: NEVER })
      return call.code === null || isTokenWorthless(call) ? null : faultOf('auth.revoke', call)
    },
    readAction(message) {
      if (!isSigned(message, signingSecret, clock.now())) return BADLY_SIGNED
      return actionIn(message, apiUrl)
    },
    readEvent(message) {
      if (!isSigned(message, signingSecret, clock.now())) return BADLY_SIGNED
      return eventIn(message)
    },
    async answer({ answerAt, blocks }, { line, isDone }) {
      if (answerAt === null) return null
      const text = escaped(line, LINE_MAX)
      const body = isDone
        ? { replace_original: true, text, blocks: answeredBlocks(blocks, line) }
        : { replace_original: false, response_type: 'ephemeral', text }
      const reply = await api.answer(answerAt, body)
      if (!('failed' in reply) && reply.status === 200) return null
      return faultOf('the answer to a button', { reply, code: UNREADABLE, body: {} })
    },
    close: api.close,
  }
}

const BADLY_SIGNED: Refusal<'invalid_signature'> = refuse(
  'invalid_signature',
  'The signature does not fit, or is not of this time.',
)

/**
 * What was pressed; null for what is none of our buttons, such as the one that only leads to the post. Throws where a
 * form of Slack holds no JSON.
 */
function actionIn({ body }: SlackMessage, apiUrl: string): SlackAction | null {
  const payload = new URLSearchParams(body).get('payload')
  const parsed = wire.blockActions.safeParse(payload === null ? null : jsonIn(payload))
  if (!parsed.success) return null
  const { team, user, response_url: answerAt, message, actions } = parsed.data
  for (const { action_id: actionId, value } of actions) {
    const press = PRESS_OF.get(actionId)
    if (press === undefined || value === undefined) continue
    const by = excerpt(cleanLine(user.name ?? user.username ?? ''), 80) || excerpt(cleanLine(user.id), 80)
    const isGuest = user.team_id !== undefined && user.team_id !== team.id
    return {
      teamId: team.id,
      isGuest,
      by,
      mentionId: value,
      press,
      answerAt: ownAddress(answerAt, apiUrl),
      blocks: message?.blocks ?? [],
    }
  }
  return null
}

/** What it tells; null for what does not matter here. */
function eventIn({ body }: SlackMessage): SlackEvent | null {
  const parsed = wire.anyEvent.safeParse(jsonIn(body))
  if (!parsed.success) return null
  const { data } = parsed
  if (data.type === 'url_verification') return { kind: 'challenge', challenge: data.challenge }
  const { type, tokens } = data.event
  const isRemoval = type === 'app_uninstalled' || (type === 'tokens_revoked' && (tokens?.bot?.length ?? 0) > 0)
  return isRemoval ? { kind: 'removed', teamId: data.team_id, at: new Date(data.event_time * SECOND_MS) } : null
}

/** Null where a text is no JSON: what is signed and not understood is of no matter. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * Answers go to Slack alone, whatever address a message names: to the host of its interface, or the one beside it that
 * it uses for them.
 */
function ownAddress(address: string | undefined, apiUrl: string): string | null {
  if (address === undefined || !canParse(address)) return null
  const [url, own] = [new URL(address), new URL(apiUrl)]
  const isOwn = url.protocol === own.protocol && (url.host === own.host || url.host === `hooks.${own.host}`)
  return isOwn && url.username === '' && url.password === '' ? url.href : null
}
