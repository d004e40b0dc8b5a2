import { z } from 'zod'
import { renameWorkspace } from '../../commands/workspaces/rename-workspace.ts'
import { MANAGING_ROLES } from '../../domain/member/team.ts'
import { WORKSPACE_NAME_MAX } from '../../domain/workspace/workspace.ts'
import { defineOperation } from '../definition.ts'
import { lineIn } from '../shapes.ts'
import { workspaceOut } from './workspace-shape.ts'

export const updateWorkspaceOperation = defineOperation({
  id: 'update-workspace',
  method: 'PATCH',
  path: '/v1/workspace',
  access: 'write',
  roles: MANAGING_ROLES,
  peopleOnly: true,
  summary: 'Rename the workspace',
  description:
    'Renames the workspace. People see the name when they choose a workspace and in invitations, so ' +
    'an API key may not change it.',
  tag: 'Service',
  body: z.strictObject({ name: lineIn(1, WORKSPACE_NAME_MAX).optional() }),
  status: 200,
  output: workspaceOut,
  errors: [],
  tool: { name: 'update_workspace', title: 'Rename the workspace', destructive: false, idempotent: true },
  run: (context, { body }) => renameWorkspace(context, body.name ?? context.caller.workspaceName),
})
