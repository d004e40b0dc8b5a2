import { isRefusal } from '../../../domain/refusal/refusal.ts'
import { slackConnectionBroken, slackNotConnected } from '../../../domain/slack/fault.ts'
import { holdConnection, tokenBinding } from '../../../store/channel/slack.ts'
import type { Preparing } from '../prepared.ts'

/** The channel stores its own copy of the token, so that sending needs no further lookup. */
export const prepareSlack: Preparing = async (tx, { workspaceId, sealer }, { setup }, input) => {
  const connection = await holdConnection(tx, workspaceId)
  if (connection === null) return slackNotConnected(409)
  const token = connection.brokenAt === null ? sealer.open(connection.tokenSealed, tokenBinding(workspaceId)) : null
  if (token === null) return slackConnectionBroken(409)
  const settings = setup.create({ ...input, teamId: connection.teamId })
  return isRefusal(settings) ? settings : { settings, secret: token, isShown: false }
}
