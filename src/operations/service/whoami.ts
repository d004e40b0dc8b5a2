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
  })
  .meta({
    id: 'WorkspaceLimits',
    description:
      'How many of each the workspace may have at most; groups with the default one, API keys that are not revoked.',
  })

const identity = z
  .strictObject({
    workspace: z.strictObject({ id: idOut('org'), name: textOut(WORKSPACE_NAME_MAX) }),
    auth: z.strictObject({
      kind: z
        .enum(['api_key', 'oauth', 'session'])
        .meta({ description: 'An API key, an access token that a person allowed, or a browser that is signed in.' }),
      scope: z.enum(['read', 'write']),
      apiKeyId: idOut('key').nullable(),
      expiresAt: timeOut.nullable().meta({ description: 'When the credential ends; null when it does not.' }),
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
  summary: 'Tell who is asking',
  description: 'The workspace that the credential belongs to with its limits, and what the credential may do.',
  tag: 'Service',
  status: 200,
  output: identity,
  errors: [],
  tool: { name: 'get_identity', title: 'Tell who is asking', destructive: false, idempotent: true },
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
