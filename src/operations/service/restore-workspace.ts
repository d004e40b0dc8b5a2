import { restoreWorkspace } from '../../commands/deletion/restore-workspace.ts'
import { defineOperation } from '../definition.ts'
import { workspaceOut } from './workspace-shape.ts'

export const restoreWorkspaceOperation = defineOperation({
  id: 'restore-workspace',
  method: 'POST',
  path: '/v1/workspace/restore',
  access: 'write',
  roles: ['owner'],
  peopleOnly: true,
  duringDeletion: true,
  summary: 'Restore the workspace',
  description:
    'Cancels the scheduled deletion. Keywords and channels that it stopped run again, keywords as far as the balance ' +
    'pays for them. Cancelled deliveries are not sent. Changes nothing in a workspace without a scheduled deletion.',
  tag: 'Service',
  status: 200,
  output: workspaceOut,
  errors: [],
  tool: { hidden: 'It belongs to deleting the workspace, which a person decides.' },
  run: (context) => restoreWorkspace(context),
})
