import { rotateFeedToken } from '../../commands/views/rotate-feed-token.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { shownView, view } from './shapes.ts'

export const rotateFeedTokenOperation = defineOperation({
  id: 'rotate-feed-token',
  method: 'POST',
  path: '/v1/views/{id}/rotate-feed-token',
  access: 'write',
  summary: "Rotate a feed's address",
  description:
    "Replaces the address of the view's feed; the old one stops working. Returns the view with the " +
    'new address if the credential may see it (see `feedUrl`).',
  tag: 'Views',
  params: { id: idIn('vw') },
  status: 200,
  output: view,
  errors: [],
  tool: {
    hidden: 'The address of a feed is a credential and does not belong in a conversation with a model.',
  },
  run: async (context, { params }) => shownView(context, await rotateFeedToken(context, params.id)),
})
