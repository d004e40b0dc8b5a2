import { z } from 'zod'
import { defineOperation } from '../definition.ts'
import { API_VERSION } from '../version.ts'

export const getHealthOperation = defineOperation({
  id: 'get-health',
  method: 'GET',
  path: '/v1/health',
  access: 'open',
  summary: 'Tell whether the service runs',
  description: 'Answers as long as the process serves requests. It asks neither the database nor any platform.',
  tag: 'Service',
  status: 200,
  output: z
    .strictObject({ status: z.literal('ok'), version: z.string().max(40) })
    .meta({ id: 'Health', description: 'That the service runs, and in which version.' }),
  errors: [],
  tool: { hidden: 'A tool client that can ask is connected already.' },
  run: async () => ({ status: 'ok' as const, version: API_VERSION }),
})
