import { isRefusal, type Refusal, refuse } from '../../../domain/refusal/refusal.ts'
import { isSlackFault, type SlackFault, slackFailed, slackNotConfigured } from '../../../domain/slack/fault.ts'
import type { SlackGrant } from '../../../domain/slack/slack.ts'
import type { Uuid } from '../../../kernel/ids.ts'
import type { Agent } from '../../../kernel/origin.ts'
import { hashOf } from '../../../kernel/secrets.ts'
import { secretBinding } from '../../../store/channel/channels.ts'
import {
  endJourney,
  giveTokens,
  lockSlackChannels,
  nameJourney,
  readJourney,
  type SlackConnection,
  type SlackJourney,
  storeConnection,
  takeTokens,
  tokenBinding,
} from '../../../store/channel/slack.ts'
import type { Transaction } from '../../../store/database.ts'
import { recordAudit } from '../../../store/workspace/audit.ts'
import type { Services } from '../../writing.ts'
import { openState, redirectUriOf } from './journey-state.ts'
import { revokeUnused } from './revoke-unused.ts'

/** What somebody comes back with from Slack. */
export interface SlackReturn {
  state: string
  /** Null when they did not allow the app. */
  code: string | null
  /** Who is signed in in the browser; null for nobody. */
  personId: Uuid | null
}

type Refusals = 'slack_not_configured' | 'invalid_token' | 'forbidden' | 'upstream_unavailable'

/** What somebody is asked who comes back, before anything is done with what they bring. */
export interface SlackQuestion {
  workspaceName: string
  askedByName: string
  /** Whether a program asked, by its key. */
  byKey: boolean
}

/**
 * What somebody has to agree to who comes back with leave: the address that they came by may have been sent to them by
 * anybody, and their team would be connected to a workspace of strangers. Changes nothing.
 */
export async function askBeforeConnecting(
  services: Services,
  { state, personId }: Pick<SlackReturn, 'state' | 'personId'>,
): Promise<SlackQuestion | Refusal<Refusals>> {
  if (services.slack === null) return slackNotConfigured()
  const journey = await readReturn(services, { state, personId })
  if (isRefusal(journey)) return journey
  return { ...(await nameJourney(services.db, journey)), byKey: journey.askedBy.kind === 'api_key' }
}

/**
 * Connects a workspace to the team in which somebody has allowed the app. A journey ends with its first return,
 * whatever comes of it.
 */
export async function completeConnection(
  services: Services,
  { state, code, personId }: SlackReturn,
): Promise<{ teamName: string } | Refusal<Refusals>> {
  const { db, publicUrl, slack } = services
  if (slack === null) return slackNotConfigured()
  const journey = await readReturn(services, { state, personId })
  if (isRefusal(journey)) return journey
  if (!(await db.transaction((tx) => endJourney(tx, journey.workspaceId, journey.id)))) return OVER
  if (code === null) return NOT_ALLOWED
  const grant = await slack.exchange(code, redirectUriOf(publicUrl))
  if (isSlackFault(grant)) return refusalFor(grant)
  const before = await db.transaction((tx) => connect(tx, services, journey, grant))
  // A token for the same team would take the new one down with it.
  if (before !== null && before.teamId !== grant.team.id) await revokeUnused(services, before)
  return { teamName: grant.team.name }
}

/** The journey on which somebody comes back, if it is theirs. */
async function readReturn(
  services: Services,
  { state, personId }: Pick<SlackReturn, 'state' | 'personId'>,
): Promise<SlackJourney | Refusal<Refusals>> {
  const place = openState(services, state)
  const journey = place && (await readJourney(services.db, place.workspaceId, place.id, services.clock.now()))
  if (journey === null) return OVER
  return journey.inBrowser && journey.askedBy.id !== personId ? SOMEBODY_ELSE : journey
}

const OVER = refuse(
  'invalid_token',
  'This attempt to connect Slack is over: it was used before, or took more than ten minutes. Begin anew in Earshot.',
)
const SOMEBODY_ELSE = refuse(
  'forbidden',
  'Somebody else has begun to connect Slack. Sign in to Earshot as that person in this browser, then load this ' +
    'page again.',
)
const NOT_ALLOWED = refuse(
  'forbidden',
  'Slack was not connected, because the app was not allowed there. Begin anew in Earshot whenever you like.',
)

function refusalFor(failed: SlackFault): Refusal<Refusals> {
  const { fault, code } = failed
  if (code === 'organisation_install')
    return refuse(
      'forbidden',
      'The app was allowed for a whole organisation. Begin anew, and choose one workspace of it.',
    )
  if (code === 'token_rotation')
    return refuse(
      'slack_not_configured',
      'Token rotation is switched on for the app at Slack. Whoever runs Earshot has to switch it off there.',
    )
  return fault === 'refused'
    ? refuse('forbidden', `Slack did not finish the connection (${code}). Begin anew in Earshot.`)
    : slackFailed(failed)
}

/**
 * The token goes to the channels of the team at once; those of another team have none any more. Answers the connection
 * before.
 */
async function connect(
  tx: Transaction,
  services: Services,
  { workspaceId, askedBy }: SlackJourney,
  grant: SlackGrant,
): Promise<SlackConnection | null> {
  const { sealer, clock } = services
  const { team, token, scopes } = grant
  const tokenSealed = sealer.seal(token, tokenBinding(workspaceId))
  const connection = {
    workspaceId,
    teamId: team.id,
    teamName: team.name,
    scopes,
    tokenSealed,
    tokenHash: hashOf(token),
  }
  const at = clock.now()
  const before = await storeConnection(tx, connection, askedBy, at)
  // Who comes back may not be signed in; who asked is known.
  const agent: Agent =
    askedBy.kind === 'api_key' ? { kind: 'api_key', id: askedBy.id } : { kind: 'person', id: askedBy.id, grantId: null }
  const target = { id: team.id, name: team.name }
  await recordAudit(tx, { workspaceId, kind: 'slack.connected', target, data: { teamId: team.id } }, at, { agent })
  const channels = await lockSlackChannels(tx, workspaceId)
  const own = channels.filter(({ teamId }) => teamId === team.id)
  await giveTokens(
    tx,
    workspaceId,
    own.map(({ id }) => ({ id, sealed: sealer.seal(token, secretBinding(workspaceId, id)) })),
  )
  const others = channels.filter(({ teamId }) => teamId !== team.id).map(({ id }) => id)
  await takeTokens(tx, workspaceId, others, 'the workspace was connected to another team in Slack')
  return before
}
