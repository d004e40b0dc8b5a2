import type { Channel, SlackApp } from '../channels/contract.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Settings } from './settings.ts'

/** Null without a Slack app, whose library is then not loaded. */
export async function slackOf(
  { slack, publicUrl }: Pick<Settings, 'slack' | 'publicUrl'>,
  clock: Clock,
  log: Log,
): Promise<{ app: SlackApp; channel: Channel } | null> {
  if (slack === null) return null
  const { createSlack } = await import('../channels/slack/slack.ts')
  return createSlack({ ...slack, publicUrl, clock, log })
}
