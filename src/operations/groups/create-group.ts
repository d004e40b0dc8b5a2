import { z } from 'zod'
import { createGroup } from '../../commands/groups/create-group.ts'
import { WORKSPACE_LIMITS } from '../../domain/workspace/limits.ts'
import { defineOperation } from '../definition.ts'
import { requestIdIn } from '../shapes.ts'
import { contextIn, externalIdIn, group, nameIn } from './shapes.ts'

export const createGroupOperation = defineOperation({
  id: 'create-group',
  method: 'POST',
  path: '/v1/groups',
  access: 'write',
  summary: 'Create a group',
  description:
    'Creates a group of keywords. `name` (in any letter case) and `externalId` are unique in the workspace. A ' +
    `workspace has at most ${WORKSPACE_LIMITS.groups} groups, the default group included; one more is a conflict.`,
  tag: 'Groups',
  body: z.strictObject({
    name: nameIn,
    externalId: externalIdIn.nullable().optional(),
    context: contextIn.nullable().optional(),
    requestId: requestIdIn.optional(),
  }),
  status: 201,
  output: group,
  errors: ['duplicate_group', 'request_conflict'],
  tool: { name: 'create_group', title: 'Create a group', destructive: false, idempotent: false },
  run: (context, { body }) => createGroup(context, body),
})
