import { PLATFORMS } from '../../domain/platform/platforms.ts'
import { NO_LATENCY, readLatencies } from '../../queries/sources/latency.ts'
import { listSources } from '../../queries/sources/list-sources.ts'
import { defineOperation } from '../definition.ts'
import { listOut } from '../shapes.ts'
import { source } from './shapes.ts'

export const listSourcesOperation = defineOperation({
  id: 'list-sources',
  method: 'GET',
  path: '/v1/sources',
  access: 'read',
  summary: 'List platforms',
  description:
    "Returns every platform with its mode, whether it is set up, missing settings, status, today's cost and the " +
    "latencies of the last hour. Latencies are those of the workspace's own mentions; everything else is the same " +
    'for all workspaces.',
  tag: 'Sources',
  status: 200,
  output: listOut(source, PLATFORMS.length),
  errors: [],
  tool: { name: 'list_sources', title: 'List platforms', destructive: false, idempotent: true },
  run: async (context) => {
    const [sources, latencies] = [await listSources(context), await readLatencies(context)]
    return { data: sources.map((view) => ({ ...view, latency: latencies.get(view.platform) ?? NO_LATENCY })) }
  },
})
