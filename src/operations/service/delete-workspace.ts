import { deleteWorkspace } from '../../commands/deletion/delete-workspace.ts'
import { WORKSPACE_NAME_MAX } from '../../domain/workspace/workspace.ts'
import { defineOperation } from '../definition.ts'
import { lineIn } from '../shapes.ts'
import { workspaceOut } from './workspace-shape.ts'

export const deleteWorkspaceOperation = defineOperation({
  id: 'delete-workspace',
  method: 'DELETE',
  path: '/v1/workspace',
  access: 'write',
  roles: ['owner'],
  peopleOnly: true,
  duringDeletion: true,
  summary: 'Delete the workspace',
  description:
    'Schedules the deletion for seven days later. Collecting, scoring, sending and charging stop at once, and ' +
    'pending deliveries are cancelled. Until then the workspace can be read and exported, an owner can restore it, ' +
    'and every other write is a `conflict`. Then everything in the workspace is removed, its ledger and balance ' +
    'included. Every owner gets an e-mail. A repeated request changes nothing.',
  tag: 'Service',
  query: {
    name: lineIn(1, WORKSPACE_NAME_MAX).meta({ description: 'The name of the workspace, to confirm the deletion.' }),
  },
  status: 202,
  output: workspaceOut,
  errors: [],
  tool: { hidden: 'It ends the workspace, which a person decides.' },
  run: (context, { query }) => deleteWorkspace(context, query.name),
})
