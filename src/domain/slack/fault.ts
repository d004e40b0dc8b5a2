import { type Refusal, refuse } from '../refusal/refusal.ts'

/**
 * `unavailable`: unreachable or failing. `refused`: Slack declines. `revoked`: invalid token. The code is Slack's or
 * ours, never a third party's text.
 */
export interface SlackFault {
  fault: 'unavailable' | 'refused' | 'revoked'
  code: string
  /** Slack's `Retry-After`. */
  retryAfterSeconds?: number
}

export function isSlackFault(answer: object | null): answer is SlackFault {
  return answer !== null && 'fault' in answer
}

/** The caller is not told the reason; the log has it. */
export function slackFailed({ retryAfterSeconds }: SlackFault): Refusal<'upstream_unavailable'> {
  return refuse(
    'upstream_unavailable',
    'Slack refused the request. Try again later.',
    retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
  )
}

export function slackNotConfigured(): Refusal<'slack_not_configured'> {
  return refuse('slack_not_configured', 'Slack is not set up on this installation.')
}

/** 404 where the connection itself is requested. */
export function slackNotConnected(status: 404 | 409): Refusal<'slack_not_connected'> {
  return refuse('slack_not_connected', 'Slack is not connected to this workspace.', { status })
}

export function slackConnectionBroken(status: 404 | 409): Refusal<'slack_not_connected'> {
  return refuse('slack_not_connected', "Slack no longer accepts this workspace's connection. Connect it again.", {
    status,
  })
}
