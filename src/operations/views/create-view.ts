import { z } from 'zod'
import { createView } from '../../commands/views/create-view.ts'
import { defineOperation } from '../definition.ts'
import { viewFilterIn } from '../filter-shapes.ts'
import { requestIdIn } from '../shapes.ts'
import { descriptionIn, nameIn, shownView, view } from './shapes.ts'

export const createViewOperation = defineOperation({
  id: 'create-view',
  method: 'POST',
  path: '/v1/views',
  access: 'write',
  summary: 'Save a view',
  description: 'Saves a filter of mentions under a name, with its own Atom feed. Keywords and groups in it must exist.',
  tag: 'Views',
  body: z.strictObject({
    name: nameIn,
    description: descriptionIn.optional(),
    filter: viewFilterIn.default({}).meta({ description: 'Default: every mention.' }),
    requestId: requestIdIn.optional(),
  }),
  status: 201,
  output: view,
  errors: ['duplicate_view', 'request_conflict', 'not_found'],
  tool: { name: 'create_view', title: 'Save a view', destructive: false, idempotent: false },
  run: async (context, { body }) => shownView(context, await createView(context, body)),
})
