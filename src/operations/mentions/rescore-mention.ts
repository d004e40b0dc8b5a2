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
    'Discards a failed score and scores the mention again; `classification` is null until then. The ' +
      'new score is charged like any other. A mention that waits for its score keeps waiting.',
    'A mention with a verdict of the scorer or the team keeps it.',
  ].join(' '),
  tag: 'Mentions',
  params: { id: idIn('mtn') },
  status: 202,
  output: mention,
  errors: ['already_classified', 'keyword_inactive'],
  tool: { name: 'rescore_mention', title: 'Score a mention again', destructive: false, idempotent: true },
  run: (context, { params }) => rescoreMention(context, actorOf(context.caller), params.id),
})
