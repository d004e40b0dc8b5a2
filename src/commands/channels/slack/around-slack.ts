import type { SlackLearned } from '../../../channels/contract.ts'
import { type Clock, plus, SECOND_MS } from '../../../kernel/clock.ts'
import { markBroken } from '../../../store/channel/slack.ts'
import type { Database } from '../../../store/database.ts'
import type { AroundSending } from '../../around-sending.ts'
import { createPace } from '../pace.ts'

/** Used when Slack answers 429 without a time. */
const REST_SECONDS = 10

export function createAroundSlack({ db, clock }: { db: Database; clock: Clock }): AroundSending {
  const pace = createPace()
  return {
    async before({ channelId, deliveryId, kind }) {
      // A person waits for the test, and Slack tolerates short bursts.
      const until = kind === 'test' ? null : pace.slotOf(deliveryId, { key: channelId, isGroup: false }, clock.now())
      if (until !== null)
        return {
          kind: 'defer',
          until,
          reason: 'waits for the rate limit: Slack accepts one message a second in a channel',
        }
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
