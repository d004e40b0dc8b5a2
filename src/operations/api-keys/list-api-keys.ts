import { API_KEY_LIMIT } from '../../commands/api-keys/create-api-key.ts'
import { MANAGING_ROLES } from '../../domain/member/team.ts'
import { listApiKeys } from '../../queries/api-keys.ts'
import { defineOperation } from '../definition.ts'
import { listOut } from '../shapes.ts'
import { apiKey } from './shapes.ts'

export const listApiKeysOperation = defineOperation({
  id: 'list-api-keys',
  method: 'GET',
  path: '/v1/api-keys',
  access: 'read',
  roles: MANAGING_ROLES,
  summary: 'List API keys',
  description: 'Returns the unrevoked keys, expired ones included, oldest first and without secrets.',
  tag: 'API keys',
  status: 200,
  output: listOut(apiKey, API_KEY_LIMIT).meta({ id: 'ApiKeyList', description: 'All unrevoked keys.' }),
  errors: [],
  tool: { name: 'list_api_keys', title: 'List API keys', destructive: false, idempotent: true },
  run: async (context) => ({ data: await listApiKeys(context) }),
})
