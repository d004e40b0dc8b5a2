import { WORKSPACE_LIMITS } from '../../domain/workspace/limits.ts'
import { listNamedSources } from '../../queries/sources/named-sources.ts'
import { defineOperation } from '../definition.ts'
import { listOut } from '../shapes.ts'
import { namedSource } from './named-shapes.ts'

export const listNamedSourcesOperation = defineOperation({
  id: 'list-named-sources',
  method: 'GET',
  path: '/v1/named-sources',
  access: 'read',
  summary: 'List feeds and forums',
  description:
    'Returns the feeds and Discourse forums that the workspace named, oldest first, with the state of each. ' +
    'Those that the operator named for every workspace are not listed.',
  tag: 'Sources',
  status: 200,
  output: listOut(namedSource, WORKSPACE_LIMITS.namedSources).meta({
    id: 'NamedSourceList',
    description: 'Feeds and forums.',
  }),
  errors: [],
  tool: { name: 'list_named_sources', title: 'List feeds and forums', destructive: false, idempotent: true },
  run: async (context) => ({ data: await listNamedSources(context) }),
})
