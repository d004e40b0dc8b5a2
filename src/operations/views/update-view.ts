import { z } from 'zod'
import { updateView } from '../../commands/views/update-view.ts'
import { defineOperation } from '../definition.ts'
import { viewFilterIn } from '../filter-shapes.ts'
import { clearable, idIn } from '../shapes.ts'
import { descriptionIn, nameIn, shownView, view } from './shapes.ts'

export const updateViewOperation = defineOperation({
  id: 'update-view',
  method: 'PATCH',
  path: '/v1/views/{id}',
  access: 'write',
  summary: 'Update a saved view',
  description:
    'Updates the fields that are sent; `filter` is replaced as a whole. Null clears `description` or ' +
    '`filter`. An update that changes nothing keeps the version.',
  tag: 'Views',
  params: { id: idIn('vw') },
  body: z.strictObject({
    name: nameIn.optional(),
    description: descriptionIn.optional(),
    filter: clearable(viewFilterIn, {}),
    ifVersion: z.int().min(1).optional().meta({ description: 'Refuses the update if the view has another version.' }),
  }),
  status: 200,
  output: view,
  errors: ['stale_version', 'duplicate_view'],
  tool: { name: 'update_view', title: 'Update a saved view', destructive: true, idempotent: true },
  run: async (context, { params, body }) => shownView(context, await updateView(context, params.id, body)),
})
