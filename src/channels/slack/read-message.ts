import type { SlackAction, SlackEvent, SlackMessage } from '../../domain/slack/slack.ts'
import { canParse } from '../../kernel/can-parse.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import { cleanLine, excerpt } from '../../kernel/text.ts'
import { PRESS_OF } from './render.ts'
import * as wire from './wire.ts'

/** Null for a button that is not ours or only opens an address. Throws if a form of Slack holds no JSON. */
export function actionIn({ body }: SlackMessage, apiUrl: string): SlackAction | null {
  const payload = new URLSearchParams(body).get('payload')
  const parsed = wire.blockActions.safeParse(payload === null ? null : jsonIn(payload))
  if (!parsed.success) return null
  const { team, user, response_url: answerAt, message, actions } = parsed.data
  for (const { action_id: actionId, value } of actions) {
    const press = PRESS_OF.get(actionId)
    if (press === undefined || value === undefined) continue
    return {
      teamId: team.id,
      isGuest: user.team_id !== undefined && user.team_id !== team.id,
      by: excerpt(cleanLine(user.name ?? user.username ?? ''), 80) || excerpt(cleanLine(user.id), 80),
      mentionId: value,
      press,
      answerAt: ownAddress(answerAt, apiUrl),
      blocks: message?.blocks ?? [],
    }
  }
  return null
}

/** Null for an event without meaning here. */
export function eventIn({ body }: SlackMessage): SlackEvent | null {
  const parsed = wire.anyEvent.safeParse(jsonIn(body))
  if (!parsed.success) return null
  const { data } = parsed
  if (data.type === 'url_verification') return { kind: 'challenge', challenge: data.challenge }
  const { type, tokens } = data.event
  const isRemoval = type === 'app_uninstalled' || (type === 'tokens_revoked' && (tokens?.bot?.length ?? 0) > 0)
  return isRemoval ? { kind: 'removed', teamId: data.team_id, at: new Date(data.event_time * SECOND_MS) } : null
}

/** Null if the text is not JSON. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The API's host, or hooks.slack.com beside it. */
function ownAddress(address: string | undefined, apiUrl: string): string | null {
  if (address === undefined || !canParse(address)) return null
  const [url, own] = [new URL(address), new URL(apiUrl)]
  const isOwn = url.protocol === own.protocol && (url.host === own.host || url.host === `hooks.${own.host}`)
  return isOwn && url.username === '' && url.password === '' ? url.href : null
}
