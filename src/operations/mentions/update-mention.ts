import { z } from 'zod'
import { updateMention } from '../../commands/mentions/update-mention.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { actorOf } from './actor-of.ts'
import { changeIn, mention } from './shapes.ts'

export const updateMentionOperation = defineOperation({
  id: 'update-mention',
  method: 'PATCH',
  path: '/v1/mentions/{id}',
  access: 'write',
  summary: 'Triage a mention',
  description: [
    'Updates the fields that are sent and keeps the others: status, assignee, snooze, note and the ' +
      'verdict of the team. The verdict overrides the score until null restores it.',
    'Never charged. A verdict requires a scored mention. Setting the status to ignored or done ' +
      'cancels pending deliveries; a verdict sends nothing.',
  ].join(' '),
  tag: 'Mentions',
  params: { id: idIn('mtn') },
  body: z.strictObject(changeIn),
  status: 200,
  output: mention,
  errors: ['classification_pending', 'invalid_assignee'],
  tool: { name: 'update_mention', title: 'Triage a mention', destructive: false, idempotent: true },
  run: (context, { params, body }) => updateMention(context, actorOf(context.caller), params.id, body),
})
