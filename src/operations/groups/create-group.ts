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
    'Makes a group beside the default one. Its name and its externalId are unique in the workspace; names are ' +
    `compared without regard to letter case. A workspace has at most ${WORKSPACE_LIMITS.groups} groups with the ` +
    'default one; one more is a conflict.',
  tag: 'Groups',
  body: z.strictObject({
    name: nameIn,
    externalId: externalIdIn.nullable().optional(),
    context: contextIn.nullable().optional(),
    requestId: requestIdIn.optional(),
  }),
  status: 201,
  output: group,
  errors: ['duplicate_group', 'request_conflict', 'conflict'],
  tool: { name: 'create_group', title: 'Create a group', destructive: false, idempotent: false },
  run: (context, { body }) => createGroup(context, body),
})
