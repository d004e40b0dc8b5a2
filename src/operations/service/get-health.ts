import { z } from 'zod'
import { VERSION } from '../../kernel/version.ts'
import { defineOperation } from '../definition.ts'

export const getHealthOperation = defineOperation({
  id: 'get-health',
  method: 'GET',
  path: '/v1/health',
  access: 'open',
  summary: 'Check service health',
  description: 'Returns 200 while the process serves requests. The database and the platforms are not checked.',
  tag: 'Service',
  status: 200,
  output: z
    .strictObject({ status: z.literal('ok'), version: z.string().max(40) })
    .meta({ id: 'Health', description: 'Status and version of the service.' }),
  errors: [],
  tool: { hidden: 'A connected tool client already knows.' },
  run: async () => ({ status: 'ok' as const, version: VERSION }),
})
