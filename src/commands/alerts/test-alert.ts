import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import { noSuchAlert } from '../../queries/alerts/get-alert.ts'
import { readAlert } from '../../store/alert/alerts.ts'
import { readChannels } from '../../store/channel/channels.ts'
import { sendTests, type TestOutcome } from '../channels/send-test.ts'
import type { WritingContext } from '../writing.ts'

export async function testAlert(
  writing: WritingContext,
  id: Uuid,
): Promise<
  { outcomes: TestOutcome[] } | Refusal<'not_found' | 'rule_disabled' | 'no_channels' | 'delivery_key_unavailable'>
> {
  const { db, workspaceId } = writing
  const alert = await readAlert(db, workspaceId, id)
  if (alert === null) return noSuchAlert()
  if (!alert.enabled) return refuse('rule_disabled', 'The rule is disabled. Enable it first.')
  const channels = await readChannels(db, workspaceId, alert.channelIds)
  if (channels.length === 0) return refuse('no_channels', 'The rule has no channel. Add one first.')
  return sendTests(writing, channels, { id: toId('feed', id), name: alert.name })
}
