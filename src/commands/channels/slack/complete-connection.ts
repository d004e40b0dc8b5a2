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

export interface SlackReturn {
  state: string
  /** Null when the person declined. */
  code: string | null
  /** The person signed in in this browser, or null. */
  personId: Uuid | null
}

type Refusals = 'slack_not_configured' | 'invalid_token' | 'forbidden' | 'upstream_unavailable'

export interface SlackQuestion {
  workspaceName: string
  askedByName: string
  /** Whether an API key started the connection. */
  byKey: boolean
}

/**
 * The question that the person must confirm: anybody may have sent them the link, and confirming connects their team to
 * that workspace. Changes nothing.
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

/** Connects the workspace to the team. The first return ends the journey, whatever its outcome. */
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
  // Revoking a token of the same team would revoke the new one too.
  if (before !== null && before.teamId !== grant.team.id) await revokeUnused(services, before)
  return { teamName: grant.team.name }
}

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
  'This attempt to connect Slack was used before or took more than ten minutes. Start again in Earshot.',
)
const SOMEBODY_ELSE = refuse(
  'forbidden',
  'Another person started to connect Slack. Sign in to Earshot as that person in this browser, ' +
    'then reload this page.',
)
const NOT_ALLOWED = refuse(
  'forbidden',
  'Slack was not connected, because the app was not allowed. Start again in Earshot.',
)

function refusalFor(failed: SlackFault): Refusal<Refusals> {
  const { fault, code } = failed
  if (code === 'organisation_install')
    return refuse('forbidden', 'The app was allowed for a whole organization. Start again and choose one workspace.')
  if (code === 'token_rotation')
    return refuse(
      'slack_not_configured',
      'Token rotation is enabled for the Slack app. The operator of Earshot must disable it there.',
    )
  return fault === 'refused'
    ? refuse('forbidden', `Slack did not complete the connection (${code}). Start again in Earshot.`)
    : slackFailed(failed)
}

/**
 * Channels of this team get the token at once, channels of other teams lose theirs. Returns the previous connection.
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
  // The returning person may not be signed in, but the asking one is known.
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
  await takeTokens(tx, workspaceId, others, 'the workspace was connected to another Slack team')
  return before
}
