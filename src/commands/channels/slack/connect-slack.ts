import type { KnownActor } from '../../../domain/mention/triage.ts'
import type { Refusal } from '../../../domain/refusal/refusal.ts'
import { slackNotConfigured } from '../../../domain/slack/fault.ts'
import { MINUTE_MS, plus } from '../../../kernel/clock.ts'
import { newUuid } from '../../../kernel/ids.ts'
import { beginJourney } from '../../../store/channel/slack.ts'
import type { WritingContext } from '../../writing.ts'
import { redirectUriOf, sealState } from './journey-state.ts'

/** As long as Slack's own codes are valid. */
const JOURNEY_MS = 10 * MINUTE_MS

/** With `inBrowser`, only a browser signed in as the same person may return. */
export async function connectSlack(
  writing: WritingContext,
  askedBy: KnownActor,
  inBrowser: boolean,
): Promise<{ url: string } | Refusal<'slack_not_configured'>> {
  const { db, clock, workspaceId, publicUrl, slack } = writing
  if (slack === null) return slackNotConfigured()
  const at = clock.now()
  const id = newUuid(at)
  await db.transaction((tx) =>
    beginJourney(tx, { workspaceId, id, askedBy, inBrowser, expiresAt: plus(at, JOURNEY_MS) }, at),
  )
  return { url: slack.authorizeUrl(sealState(writing, { workspaceId, id }), redirectUriOf(publicUrl)) }
}
