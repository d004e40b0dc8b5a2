import type { TriageChange } from '../mention/triage.ts'

/** A team is a Slack workspace. */
export interface SlackGrant {
  team: { id: string; name: string }
  /** Valid until the app is removed. */
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

export const PRESSED: Readonly<Record<SlackPress, TriageChange>> = {
  done: { status: 'done' },
  ignore: { status: 'ignored' },
  not_relevant: { relevant: false },
}

export interface SlackAction {
  teamId: string
  /** Whether the person is of another team that shares the channel. */
  isGuest: boolean
  /** Name or id, on one line. */
  by: string
  /** The mention may no longer exist. */
  mentionId: string
  press: SlackPress
  /** Null when it is not Slack's. */
  answerAt: string | null
  blocks: readonly object[]
}

export type SlackEvent =
  | { kind: 'challenge'; challenge: string }
  /** The app was removed, or its token was revoked. */
  | { kind: 'removed'; teamId: string; at: Date }

/** Untrusted until its signature is verified. */
export interface SlackMessage {
  body: string
  timestamp: string | undefined
  signature: string | undefined
}
