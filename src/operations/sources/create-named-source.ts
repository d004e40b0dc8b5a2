import { z } from 'zod'
import { createNamedSource } from '../../commands/sources/create-named-source.ts'
import { WORKSPACE_LIMITS } from '../../domain/workspace/limits.ts'
import { defineOperation } from '../definition.ts'
import { lineIn, requestIdIn } from '../shapes.ts'
import { namedPlatform, namedSource } from './named-shapes.ts'

export const createNamedSourceOperation = defineOperation({
  id: 'create-named-source',
  method: 'POST',
  path: '/v1/named-sources',
  access: 'write',
  summary: 'Name a feed or forum',
  description:
    'Looks the address up and reads it from then on, for the keywords of this workspace only. `address` may be a ' +
    'feed, a page that links to its feed, or any page of a Discourse forum. A workspace names at most ' +
    `${WORKSPACE_LIMITS.namedSources} feeds and forums; one more, or one that it names already, is a conflict.`,
  tag: 'Sources',
  body: z.strictObject({
    platform: namedPlatform,
    address: lineIn(4, 1000),
    requestId: requestIdIn.optional(),
  }),
  status: 201,
  output: namedSource,
  errors: ['request_conflict'],
  tool: { name: 'create_named_source', title: 'Name a feed or forum', destructive: false, idempotent: false },
  run: (context, { body }) => createNamedSource(context, body),
})
