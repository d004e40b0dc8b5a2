import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SlackMessage } from '../../domain/slack/slack.ts'
import { SECOND_MS } from '../../kernel/clock.ts'

/** Largest age or lead in seconds, against replays. */
export const TOLERANCE_SECONDS = 300

export function isSignedBySlack(
  { body, timestamp = '', signature = '' }: SlackMessage,
  secret: string,
  now: Date,
): boolean {
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now.getTime() / SECOND_MS - Number(timestamp)) > TOLERANCE_SECONDS)
    return false
  const given = /^v0=([0-9a-f]{64})$/.exec(signature)?.[1]
  if (given === undefined) return false
  const expected = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest()
  return timingSafeEqual(Buffer.from(given, 'hex'), expected)
}
