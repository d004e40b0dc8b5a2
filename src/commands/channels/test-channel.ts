import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { noSuchChannel } from '../../queries/channels/get-channel.ts'
import { readChannels } from '../../store/channel/channels.ts'
import type { WritingContext } from '../writing.ts'
import { testObjection } from './email/test-objection.ts'
import { sendTests, type TestOutcome } from './send-test.ts'

export async function testChannel(
  writing: WritingContext,
  id: Uuid,
): Promise<
  | { outcomes: TestOutcome[] }
  | Refusal<
      'not_found' | 'channel_disabled' | 'delivery_key_unavailable' | 'email_transport_unavailable' | 'no_recipients'
    >
> {
  const [channel] = await readChannels(writing.db, writing.workspaceId, [id])
  if (channel === undefined) return noSuchChannel()
  if (!channel.enabled) return refuse('channel_disabled', 'The channel is disabled. Enable it first.')
  const objection = testObjection(writing, channel)
  if (objection !== null) return objection
  return sendTests(writing, [channel], { id: null, name: 'Channel test' })
}
