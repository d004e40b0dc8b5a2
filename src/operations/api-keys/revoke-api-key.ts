import { revokeApiKey } from '../../commands/api-keys/revoke-api-key.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'

export const revokeApiKeyOperation = defineOperation({
  id: 'revoke-api-key',
  method: 'DELETE',
  path: '/v1/api-keys/{id}',
  access: 'write',
  roles: ['owner'],
  summary: 'Revoke an API key',
  description:
    'Ends a key immediately. A key may revoke itself. Revoking a key with write scope changes the ' +
    "address of every view's feed; read `feedUrl` again.",
  tag: 'API keys',
  params: { id: idIn('key') },
  status: 204,
  errors: [],
  tool: { name: 'revoke_api_key', title: 'Revoke an API key', destructive: true, idempotent: true },
  run: (context, { params }) => revokeApiKey(context, params.id),
})
