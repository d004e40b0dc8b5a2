import type { SendOutcome } from '../contract.ts'
import { outcomeOf, readRetryAfter } from '../http-attempt.ts'
import { type SlackCall, UNREADABLE } from './api.ts'

/** Final: the token is revoked or invalid. */
const TOKEN_IS_WORTHLESS = new Set([
  'invalid_auth',
  'token_revoked',
  'token_expired',
  'account_inactive',
  'not_authed',
  'app_uninstalled',
])

const BUSY = ['ratelimited', 'rate_limited']

const PASSING = new Set([
  ...BUSY,
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
  UNREADABLE,
])

const LOST = "Slack no longer accepts the workspace's connection: connect Slack again"

/** Advice where Slack's code does not explain itself. */
const REASONS = new Map([
  ['channel_not_found', 'the Slack channel does not exist, or the app is not in it'],
  ['not_in_channel', 'the app is not in the channel: invite it there'],
  ['is_archived', 'the channel is archived in Slack'],
  ['missing_scope', 'the app may not post in Slack: connect Slack again'],
  ['no_permission', 'the app may not post in the channel'],
  ['restricted_action', 'the app may not post in the channel'],
  ['msg_too_long', 'the message is too long for Slack'],
])

export function isTokenWorthless({ code }: Pick<SlackCall, 'code'>): boolean {
  return code !== null && TOKEN_IS_WORTHLESS.has(code)
}

export function isBusy({ reply, code }: SlackCall): boolean {
  return !('failed' in reply) && (reply.status === 429 || (code !== null && BUSY.includes(code)))
}

/** True also without a reply. */
export function mayPass({ reply, code }: SlackCall): boolean {
  return 'failed' in reply || reply.status !== 200 || (code !== null && PASSING.has(code))
}

/** By the status unless it is 200, else by Slack's code. */
export function outcomeOfCall({ reply, code }: SlackCall, at: Date): SendOutcome {
  if ('failed' in reply) return reply.failed
  const { status, retryAfter } = reply
  if (status !== 200) {
    const outcome = outcomeOf(status, retryAfter, at)
    return outcome.outcome === 'delivered'
      ? { outcome: 'temporary', reason: NOT_SLACK, retryAfterSeconds: null, status }
      : outcome
  }
  if (code === null) return { outcome: 'delivered', status }
  if (code === UNREADABLE) return { outcome: 'temporary', reason: NOT_SLACK, retryAfterSeconds: null, status }
  if (PASSING.has(code))
    return {
      outcome: 'temporary',
      reason: `Slack answered ${code}`,
      retryAfterSeconds: readRetryAfter(retryAfter, at),
      status,
    }
  return {
    outcome: 'permanent',
    reason: TOKEN_IS_WORTHLESS.has(code) ? LOST : (REASONS.get(code) ?? `Slack refused the message: ${code}`),
    status,
  }
}

const NOT_SLACK = 'the reply is not from Slack'
