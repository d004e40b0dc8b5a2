import { rescoreMention } from '../../commands/mentions/rescore-mention.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { actorOf } from './actor-of.ts'
import { mention } from './shapes.ts'

export const rescoreMentionOperation = defineOperation({
  id: 'rescore-mention',
  method: 'POST',
  path: '/v1/mentions/{id}/rescore',
  access: 'write',
  summary: 'Score a mention again',
  description: [
    'Takes a failed score back: the mention waits for a new one, with classification null until it has it, and ' +
      'the new score is charged as any. One that waits already goes on waiting.',
    'A mention with a verdict, of its scorer or of the team, keeps it.',
  ].join(' '),
  tag: 'Mentions',
  params: { id: idIn('mtn') },
  status: 202,
  output: mention,
  errors: ['already_classified', 'keyword_inactive'],
  tool: { name: 'rescore_mention', title: 'Score a mention again', destructive: false, idempotent: true },
  run: (context, { params }) => rescoreMention(context, actorOf(context.caller), params.id),
})
