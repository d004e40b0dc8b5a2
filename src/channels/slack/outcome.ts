import type { Outcome } from '../contract.ts'
import { outcomeOf, readRetryAfter } from '../http-attempt.ts'
import { type SlackCall, UNREADABLE } from './api.ts'

/** Slack takes the token no more, and will not take it again. */
const TOKEN_IS_WORTHLESS = new Set([
  'invalid_auth',
  'token_revoked',
  'token_expired',
  'account_inactive',
  'not_authed',
  'app_uninstalled',
])

/** Slack asks for more time between calls. */
const BUSY = ['ratelimited', 'rate_limited']

/** What passes by itself. */
const PASSING = new Set([
  ...BUSY,
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
  UNREADABLE,
])

const LOST = 'Slack does not take the connection of the workspace any more: connect Slack again'

/** What a person can do about it, where Slack's own word does not say it. */
const REASONS = new Map([
  ['channel_not_found', 'there is no such channel in Slack, or the app is not in it'],
  ['not_in_channel', 'the app is not in the channel: invite it there'],
  ['is_archived', 'the channel is archived in Slack'],
  ['missing_scope', 'the app may not post in Slack: connect Slack again'],
  ['no_permission', 'the app may not post in the channel'],
  ['restricted_action', 'the app may not post in the channel'],
  ['msg_too_long', 'the message is too long for Slack'],
])

/** Whether a call failed because the connection is worth nothing any more. */
export function isTokenWorthless({ code }: Pick<SlackCall, 'code'>): boolean {
  return code !== null && TOKEN_IS_WORTHLESS.has(code)
}

/** Whether Slack asked for more time, by the status of its reply or by its word. */
export function isBusy({ reply, code }: SlackCall): boolean {
  return !('failed' in reply) && (reply.status === 429 || (code !== null && BUSY.includes(code)))
}

/** Whether a call failed in a way that may pass, or was not answered at all. */
export function mayPass({ reply, code }: SlackCall): boolean {
  return 'failed' in reply || reply.status !== 200 || (code !== null && PASSING.has(code))
}

/** How an attempt to send ended: by the status of the reply where it is not 200, and else by Slack's own word. */
export function outcomeOfCall({ reply, code }: SlackCall, at: Date): Outcome {
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

const NOT_SLACK = 'the reply is not one of Slack'
