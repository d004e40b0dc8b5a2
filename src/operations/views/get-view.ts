import { getView } from '../../queries/views/get-view.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { shownView, view } from './shapes.ts'

export const getViewOperation = defineOperation({
  id: 'get-view',
  method: 'GET',
  path: '/v1/views/{id}',
  access: 'read',
  summary: 'Get a saved view',
  description: 'Returns one saved view with its filter.',
  tag: 'Views',
  params: { id: idIn('vw') },
  status: 200,
  output: view,
  errors: [],
  tool: { name: 'get_view', title: 'Get a saved view', destructive: false, idempotent: true },
  run: async (context, { params }) => shownView(context, await getView(context, params.id)),
})
