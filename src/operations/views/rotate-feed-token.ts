import { rotateFeedToken } from '../../commands/views/rotate-feed-token.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { shownView, view } from './shapes.ts'

export const rotateFeedTokenOperation = defineOperation({
  id: 'rotate-feed-token',
  method: 'POST',
  path: '/v1/views/{id}/rotate-feed-token',
  access: 'write',
  summary: 'Give a feed a new address',
  description:
    "Makes the present address of the view's feed useless and answers the view with the new one, to who may have " +
    'it (see feedUrl).',
  tag: 'Views',
  params: { id: idIn('vw') },
  status: 200,
  output: view,
  errors: [],
  tool: {
    hidden:
      'The address of a feed opens mentions to whoever has it, and does not belong into the conversation with a model.',
  },
  run: async (context, { params }) => shownView(context, await rotateFeedToken(context, params.id)),
})
