import { z } from 'zod'
import { defineOperation } from '../definition.ts'

export const getOpenapiOperation = defineOperation({
  id: 'get-openapi',
  method: 'GET',
  path: '/v1/openapi.json',
  access: 'open',
  summary: 'Get the OpenAPI document',
  description: 'Returns the OpenAPI 3.1 document of this installation.',
  tag: 'Service',
  status: 200,
  output: z
    .looseObject({ openapi: z.literal('3.1.0') })
    .meta({ id: 'OpenApiDocument', description: 'An OpenAPI 3.1 document.' }),
  errors: [],
  tool: { hidden: 'Tools describe themselves.' },
  run: async ({ describe }) => ({ ...(await describe()), openapi: '3.1.0' as const }),
})
