import { z } from 'zod'
import { createApiKey } from '../../commands/api-keys/create-api-key.ts'
import { defineOperation } from '../definition.ts'
import { lineIn, requestIdIn, timeIn } from '../shapes.ts'
import { API_KEY_NAME_MAX, newApiKey, scope } from './shapes.ts'

export const createApiKeyOperation = defineOperation({
  id: 'create-api-key',
  method: 'POST',
  path: '/v1/api-keys',
  access: 'write',
  roles: ['owner'],
  summary: 'Create an API key',
  description:
    'Creates a key for this workspace and returns its secret once. People need the role owner; a key ' +
    'with write scope may create keys too, because it acts as the workspace. A workspace has at most ' +
    '100 unrevoked keys.',
  tag: 'API keys',
  body: z.strictObject({
    name: lineIn(1, API_KEY_NAME_MAX),
    scope: scope.default('write'),
    expiresAt: timeIn()
      .nullable()
      .default(null)
      .meta({ description: 'When the key expires, in the future. Keys do not expire by default.' }),
    requestId: requestIdIn.optional(),
  }),
  status: 201,
  output: newApiKey,
  errors: ['key_limit', 'request_conflict'],
  tool: { hidden: 'A secret does not belong in a conversation with a model.' },
  run: (context, { body }) => createApiKey(context, body),
})
