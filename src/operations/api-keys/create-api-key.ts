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
    'Makes a key for this workspace and shows it once. Of people only owners may; a key with write scope may too, ' +
    'because it acts as the workspace. A workspace has at most 100 unrevoked keys.',
  tag: 'API keys',
  body: z.strictObject({
    name: lineIn(1, API_KEY_NAME_MAX),
    scope: scope.default('write'),
    expiresAt: timeIn()
      .nullable()
      .default(null)
      .meta({ description: 'When the key ends, in the future. Without it the key does not end.' }),
    requestId: requestIdIn.optional(),
  }),
  status: 201,
  output: newApiKey,
  errors: ['key_limit', 'request_conflict'],
  tool: { hidden: 'A secret does not belong into the conversation with a model.' },
  run: (context, { body }) => createApiKey(context, body),
})
