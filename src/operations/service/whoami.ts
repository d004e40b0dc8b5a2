import { z } from 'zod'
import { WORKSPACE_LIMITS } from '../../domain/workspace/limits.ts'
import { WORKSPACE_NAME_MAX } from '../../domain/workspace/workspace.ts'
import { toId } from '../../kernel/ids.ts'
import { defineOperation } from '../definition.ts'
import { countOut, idOut, textOut, timeOut } from '../shapes.ts'

const limits = z
  .strictObject({
    keywords: countOut,
    groups: countOut,
    views: countOut,
    segments: countOut,
    channels: countOut,
    alerts: countOut,
    apiKeys: countOut,
    namedSources: countOut,
  })
  .meta({
    id: 'WorkspaceLimits',
    description: 'Limits of the workspace. Groups include the default group; revoked API keys do not count.',
  })

const identity = z
  .strictObject({
    workspace: z.strictObject({ id: idOut('org'), name: textOut(WORKSPACE_NAME_MAX) }),
    auth: z.strictObject({
      kind: z
        .enum(['api_key', 'oauth', 'session'])
        .meta({ description: 'Kind of credential: API key, access token of a person, or signed-in browser.' }),
      scope: z.enum(['read', 'write']),
      apiKeyId: idOut('key').nullable(),
      expiresAt: timeOut.nullable().meta({ description: 'When the credential expires; null if it does not.' }),
    }),
    user: z
      .strictObject({ id: idOut('user'), email: textOut(320), name: textOut(200) })
      .nullable()
      .meta({ description: 'The person behind the credential; null for an API key.' }),
    limits,
  })
  .meta({ id: 'Identity', description: 'The workspace with its limits, and the credential of a request.' })

export const whoamiOperation = defineOperation({
  id: 'whoami',
  method: 'GET',
  path: '/v1/whoami',
  access: 'read',
  summary: 'Identify the credential',
  description: 'Returns the workspace of the credential with its limits, and what the credential may do.',
  tag: 'Service',
  status: 200,
  output: identity,
  errors: [],
  tool: { name: 'get_identity', title: 'Identify the credential', destructive: false, idempotent: true },
  run: async ({ caller }) => ({
    workspace: { id: toId('org', caller.workspaceId), name: caller.workspaceName },
    auth: {
      kind: caller.kind,
      scope: caller.scope,
      apiKeyId: caller.kind === 'api_key' ? toId('key', caller.apiKeyId) : null,
      expiresAt: caller.expiresAt?.toISOString() ?? null,
    },
    user: caller.kind === 'api_key' ? null : { ...caller.user, id: toId('user', caller.user.id) },
    limits: WORKSPACE_LIMITS,
  }),
})
