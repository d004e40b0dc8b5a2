import { VIEW_LIMITS } from '../../domain/filter/view.ts'
import { listViews } from '../../queries/views/list-views.ts'
import { defineOperation } from '../definition.ts'
import { listOut } from '../shapes.ts'
import { shownView, view } from './shapes.ts'

export const listViewsOperation = defineOperation({
  id: 'list-views',
  method: 'GET',
  path: '/v1/views',
  access: 'read',
  summary: 'List saved views',
  description:
    'Returns every saved view, oldest first. Use its id as `viewId` when listing, counting or exporting mentions.',
  tag: 'Views',
  status: 200,
  output: listOut(view, VIEW_LIMITS.perWorkspace),
  errors: [],
  tool: { name: 'list_views', title: 'List saved views', destructive: false, idempotent: true },
  run: async (context) => ({ data: (await listViews(context)).map((view) => shownView(context, view)) }),
})
