import type { SlackLearned } from '../../../channels/contract.ts'
import { type Clock, plus, SECOND_MS } from '../../../kernel/clock.ts'
import { markBroken } from '../../../store/channel/slack.ts'
import type { Database } from '../../../store/database.ts'
import type { AroundSending } from '../../around-sending.ts'
import { createPace } from '../pace.ts'

/** How long a channel is left in peace when Slack asks for patience and does not say for how long. */
const REST_SECONDS = 10

/**
 * Sends to each channel at the pace that Slack bears, about one message a second, and notes when Slack takes a
 * connection no more.
 */
export function createAroundSlack({ db, clock }: { db: Database; clock: Clock }): AroundSending {
  const pace = createPace()
  return {
    async before({ channelId, deliveryId, kind }) {
      // Somebody waits for the answer to a test; one more message is within what Slack allows for a moment.
      const until = kind === 'test' ? null : pace.turnOf(deliveryId, { key: channelId, isGroup: false }, clock.now())
      if (until !== null)
        return { kind: 'defer', until, reason: 'waits for its turn: Slack takes one message a second in a channel' }
      return { kind: 'go', settings: {} }
    },
    async after({ workspaceId, channelId }, result) {
      const { worthlessToken, isBusy } = result.learned as SlackLearned
      if (isBusy && result.outcome === 'temporary')
        pace.rest(channelId, plus(clock.now(), (result.retryAfterSeconds ?? REST_SECONDS) * SECOND_MS))
      if (worthlessToken !== null)
        await db.transaction((tx) => markBroken(tx, workspaceId, worthlessToken, clock.now()))
    },
  }
}
