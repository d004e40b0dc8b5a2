import { readWorkspace } from '../../queries/workspaces.ts'
import { defineOperation } from '../definition.ts'
import { workspaceOut } from './workspace-shape.ts'

export const getWorkspaceOperation = defineOperation({
  id: 'get-workspace',
  method: 'GET',
  path: '/v1/workspace',
  access: 'read',
  summary: 'Get the workspace',
  description:
    'Returns the workspace of the credential, how long it keeps mentions and deliveries, and the time of its ' +
    'scheduled deletion.',
  tag: 'Service',
  status: 200,
  output: workspaceOut,
  errors: [],
  tool: { hidden: 'The identity of the credential holds the name.' },
  run: (context) => readWorkspace(context),
})
