import { z } from 'zod'
import { refuse } from '../../domain/refusal/refusal.ts'
import type { Method } from '../../operations/definition.ts'
import { type CompatOperation, defineCompat } from './define.ts'

/** Operations of the other vendor that are answered 501, with what is to be used instead. */
const OFF: readonly [method: Method, path: `/${string}`, access: 'read' | 'write', message: string][] = [
  ...each(['GET'], '/keywords/suggestions', 'read', 'Keyword suggestions: use GET /v1/keywords/{id}/suggestions.'),
  ...each(
    ['POST', 'DELETE'],
    '/keywords/suggestions',
    'write',
    'Keyword suggestions: use GET /v1/keywords/{id}/suggestions.',
  ),
  ...each(['GET'], '/keywords/estimate', 'read', 'Keyword estimates: use POST /v1/search.'),
  ...each(['POST'], '/keywords/estimate', 'read', 'Keyword estimates: use POST /v1/search.'),
  ...each(['GET'], '/notifications', 'read', 'Notifications: use GET /v1/alerts.'),
  ...each(['POST'], '/notifications', 'write', 'Notifications: use POST /v1/alerts.'),
  ...each(['GET'], '/notifications/{id}', 'read', 'Notifications: use GET /v1/alerts/{id}.'),
  ...each(['PATCH', 'DELETE'], '/notifications/{id}', 'write', 'Notifications: use /v1/alerts/{id}.'),
  ...each(['POST'], '/notifications/{id}/test', 'write', 'Notifications: use POST /v1/alerts/{id}/test.'),
  ...each(['GET', 'POST'], '/search', 'read', 'On-demand search: use POST /v1/search.'),
  ...each(['GET'], '/search/{searchId}', 'read', 'On-demand search: use POST /v1/search.'),
  ...each(['POST'], '/ai/filter-wizard', 'read', 'The AI filter wizard is not available.'),
  ...each(
    ['GET', 'POST'],
    '/ai/filter-recommendations',
    'read',
    'Filter recommendations: use GET /v1/keywords/{id}/suggestions.',
  ),
  ...each(['GET'], '/integrations/slack', 'read', 'Slack: use GET /v1/slack.'),
  ...each(['GET'], '/integrations/slack/channels', 'read', 'Slack: use GET /v1/slack/channels.'),
  ...each(['GET'], '/attention', 'read', 'Attention: use GET /v1/attention.'),
  ...each(['POST'], '/org/upgrade-link', 'write', 'Upgrades: use POST /v1/billing/top-ups.'),
  ...each(['GET', 'POST'], '/agency/workspaces', 'write', 'Agency workspaces are not available.'),
  ...each(['GET', 'POST'], '/setup/scan', 'write', 'Setup scans are not available.'),
  ...each(
    ['GET'],
    '/mentions/export/{exportId}',
    'read',
    'Export download links: POST /mentions/export sends the file.',
  ),
  ...each(['GET'], '/docs', 'read', 'The reference: use GET /openapi.json here, or /docs/ of this service.'),
]

function each(
  methods: readonly Method[],
  path: `/${string}`,
  access: 'read' | 'write',
  message: string,
): [Method, `/${string}`, 'read' | 'write', string][] {
  return methods.map((method) => [method, path, access, message])
}

/** Any body is taken, because what is off has no form. */
export const OFF_OPERATIONS: readonly CompatOperation[] = OFF.map(([method, path, access, message]) =>
  defineCompat({
    id: `off-${method}${path.replace(/\W+/g, '-')}`.toLowerCase().replace(/-$/, ''),
    method,
    path,
    access,
    summary: `Not available: ${path}`,
    description: message,
    tag: 'Unavailable',
    params: Object.fromEntries(
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [
        name!,
        z.string().max(400).meta({ description: 'Not looked at.' }),
      ]),
    ),
    ...(method === 'GET' ? {} : { body: z.unknown() }),
    output: z.strictObject({}),
    errors: ['feature_disabled'],
    run: async () => refuse('feature_disabled', message),
  }),
)

/** Answers for every other path and method, which have no scope and no body. */
export const UNKNOWN: CompatOperation = defineCompat({
  id: 'unknown',
  method: 'GET',
  path: '/unknown',
  access: 'read',
  summary: 'Unknown operation',
  description: 'Answers every path and method that is not described.',
  tag: 'Unavailable',
  output: z.strictObject({}),
  errors: ['feature_disabled'],
  refusal: refuse('feature_disabled', 'This interface has no such operation.'),
  run: async () => refuse('feature_disabled', 'This interface has no such operation.'),
})
