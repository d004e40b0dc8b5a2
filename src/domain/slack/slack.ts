import type { TriageChange } from '../mention/triage.ts'

/** What Slack hands over when somebody has allowed the app to speak in their Slack workspace, which it calls a team. */
export interface SlackGrant {
  team: { id: string; name: string }
  /** Speaks for the app in the team. Good until the app is removed there. */
  token: string
  scopes: string[]
}

/** A channel of a team. */
export interface SlackConversation {
  id: string
  /** Without a sign before it. */
  name: string
  isPrivate: boolean
}

/** What the buttons below a mention do. */
export const SLACK_PRESSES = ['done', 'ignore', 'not_relevant'] as const
export type SlackPress = (typeof SLACK_PRESSES)[number]

/** What each of them changes of the mention. */
export const PRESSED: Readonly<Record<SlackPress, TriageChange>> = {
  done: { status: 'done' },
  ignore: { status: 'ignored' },
  not_relevant: { relevant: false },
}

/** Somebody pressed a button below a mention. */
export interface SlackAction {
  teamId: string
  /** Whether whoever did it is of another team, which has a channel in common with this one. */
  isGuest: boolean
  /** Who did it: their name in Slack, or their id there; one line. */
  by: string
  /** As it stood in the button, which may be of a mention that is not there any more. */
  mentionId: string
  press: SlackPress
  /** Where Slack takes an answer; null when it named no address of its own. */
  answerAt: string | null
  /** The message in which the button stood, as Slack keeps it. */
  blocks: readonly object[]
}

/** What Slack tells of the app itself. */
export type SlackEvent =
  /** Slack wants to see that somebody reads what it sends. */
  | { kind: 'challenge'; challenge: string }
  /** The app was removed from a team, or its token there is worth nothing any more. */
  | { kind: 'removed'; teamId: string; at: Date }

/** A message of Slack as it came in, of which nothing is known to be true before its signature fits. */
export interface SlackMessage {
  body: string
  /** The headers X-Slack-Request-Timestamp and X-Slack-Signature. */
  timestamp: string | undefined
  signature: string | undefined
}
