import type { TriageChange } from '../mention/triage.ts'

/** The result of installing the app. A team is a Slack workspace. */
export interface SlackGrant {
  team: { id: string; name: string }
  /** The bot token, valid until the app is removed. */
  token: string
  scopes: string[]
}

export interface SlackConversation {
  id: string
  /** Without #. */
  name: string
  isPrivate: boolean
}

export const SLACK_PRESSES = ['done', 'ignore', 'not_relevant'] as const
export type SlackPress = (typeof SLACK_PRESSES)[number]

/** The change of the mention by each button. */
export const PRESSED: Readonly<Record<SlackPress, TriageChange>> = {
  done: { status: 'done' },
  ignore: { status: 'ignored' },
  not_relevant: { relevant: false },
}

export interface SlackAction {
  teamId: string
  /** Whether the person is of another team that shares the channel. */
  isGuest: boolean
  /** The person's name or id in Slack, on one line. */
  by: string
  /** From the button; the mention may no longer exist. */
  mentionId: string
  press: SlackPress
  /** Slack's response address; null when it is not Slack's. */
  answerAt: string | null
  /** The message with the button. */
  blocks: readonly object[]
}

export type SlackEvent =
  /** Slack verifies the endpoint. */
  | { kind: 'challenge'; challenge: string }
  /** The app was removed, or its token was revoked. */
  | { kind: 'removed'; teamId: string; at: Date }

/** Untrusted until its signature is verified. */
export interface SlackMessage {
  body: string
  /** The headers X-Slack-Request-Timestamp and X-Slack-Signature. */
  timestamp: string | undefined
  signature: string | undefined
}
