import { isRefusal, type Refusal } from '../../../domain/refusal/refusal.ts'
import { isSlackFault, slackNotConfigured } from '../../../domain/slack/fault.ts'
import { PRESSED, type SlackAction, type SlackMessage, type SlackPress } from '../../../domain/slack/slack.ts'
import { fromId, type Uuid } from '../../../kernel/ids.ts'
import { findConnected, findOwnerOf } from '../../../store/channel/slack.ts'
import type { Reader } from '../../../store/database.ts'
import { assertHere, assertNotMoved, hashOfTeam } from '../../../store/frozen/moved.ts'
import { updateMention } from '../../mentions/update-mention.ts'
import type { Services } from '../../writing.ts'

export interface ActionOutcome {
  became: 'done' | 'refused' | 'not ours' | 'of no matter'
  workspaceId: Uuid | null
}

/**
 * Handles a button below a mention in Slack; repeats are safe. A team may change mentions of all workspaces that it is
 * connected to.
 */
export async function takeAction(
  services: Services,
  message: SlackMessage,
): Promise<ActionOutcome | Refusal<'slack_not_configured' | 'invalid_signature'>> {
  const { db, slack } = services
  if (slack === null) return slackNotConfigured()
  const action = slack.readAction(message)
  if (isRefusal(action)) return action
  if (action === null) return { became: 'of no matter', workspaceId: null }
  if (action.isGuest) {
    await answer(services, action, {
      line: 'Only members of the connected Slack team can do this.',
      isDone: false,
    })
    return { became: 'refused', workspaceId: null }
  }
  const found = await findMentionOfTeam(db, action.teamId, action.mentionId)
  if (found !== null) await assertHere(db, found.workspaceId)
  if (found === null) {
    await assertNotMoved(db, hashOfTeam(action.teamId))
    await answer(services, action, { line: 'This mention was deleted from Earshot.', isDone: false })
    return { became: 'not ours', workspaceId: null }
  }
  const { workspaceId, mentionId } = found
  const updated = await updateMention(
    { ...services, workspaceId },
    { kind: 'slack', name: action.by },
    mentionId,
    PRESSED[action.press],
  )
  await answer(
    services,
    action,
    isRefusal(updated)
      ? { line: updated.message, isDone: false }
      : { line: `${WORDS[action.press]} by ${action.by}`, isDone: true },
  )
  return { became: isRefusal(updated) ? 'refused' : 'done', workspaceId }
}

/** Of a workspace that is connected to the team; null for any other text too. */
export async function findMentionOfTeam(
  db: Reader,
  teamId: string,
  mention: string,
): Promise<{ workspaceId: Uuid; mentionId: Uuid } | null> {
  const mentionId = fromId('mtn', mention)
  const workspaceId = mentionId && (await findOwnerOf(db, await findConnected(db, teamId), mentionId))
  return mentionId === null || workspaceId === null ? null : { workspaceId, mentionId }
}

const WORDS: Readonly<Record<SlackPress, string>> = {
  done: 'Done',
  ignore: 'Ignored',
  not_relevant: 'Marked not relevant',
}

/** A failure to update the message does not undo the change. */
async function answer(
  { slack, log }: Services,
  action: SlackAction,
  shown: { line: string; isDone: boolean },
): Promise<void> {
  const fault = (await slack?.answer(action, shown)) ?? null
  if (isSlackFault(fault))
    log.warn(
      { event: 'slack.button_update_failed', team: action.teamId },
      'The result of a button could not be shown in Slack',
    )
}
