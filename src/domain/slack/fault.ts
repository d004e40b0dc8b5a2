import { type Refusal, refuse } from '../refusal/refusal.ts'

/**
 * Why Slack did not do what it was asked: it was not to be reached, or not able to (`unavailable`); it will not
 * (`refused`); or it does not take the token any more (`revoked`). The code is Slack's own word for it, or our own
 * where it said none; it is never text of anybody else.
 */
export interface SlackFault {
  fault: 'unavailable' | 'refused' | 'revoked'
  code: string
  /** How long Slack asks to be left alone, where it said so. */
  retryAfterSeconds?: number
}

export function isSlackFault(answer: object | null): answer is SlackFault {
  return answer !== null && 'fault' in answer
}

/** What a caller is told who waits for Slack. Why it refused is for the operator, in the log. */
export function slackFailed({ retryAfterSeconds }: SlackFault): Refusal<'upstream_unavailable'> {
  return refuse(
    'upstream_unavailable',
    'Slack did not do what was asked. Try again later.',
    retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
  )
}

/** What a caller is told on an installation that has no app at Slack. */
export function slackNotConfigured(): Refusal<'slack_not_configured'> {
  return refuse('slack_not_configured', 'Slack is not set up on this installation.')
}

/**
 * What a caller is told whose workspace Slack is not connected to; `status` is 404 where the connection itself is asked
 * for.
 */
export function slackNotConnected(status: 404 | 409): Refusal<'slack_not_connected'> {
  return refuse('slack_not_connected', 'Slack is not connected to this workspace.', { status })
}

/** The same where there is a connection that Slack does not take any more. */
export function slackConnectionBroken(status: 404 | 409): Refusal<'slack_not_connected'> {
  return refuse(
    'slack_not_connected',
    'Slack does not take the connection of this workspace any more. Connect it again.',
    { status },
  )
}
