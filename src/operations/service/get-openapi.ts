import { z } from 'zod'
import { defineOperation } from '../definition.ts'

export const getOpenapiOperation = defineOperation({
  id: 'get-openapi',
  method: 'GET',
  path: '/v1/openapi.json',
  access: 'open',
  summary: 'Describe this interface',
  description: 'The OpenAPI 3.1 document of this installation.',
  tag: 'Service',
  status: 200,
  output: z
    .looseObject({ openapi: z.literal('3.1.0') })
    .meta({ id: 'OpenApiDocument', description: 'A document in the form that the OpenAPI specification 3.1 defines.' }),
  errors: [],
  tool: { hidden: 'Tools describe themselves.' },
  run: async ({ describe }) => ({ ...describe(), openapi: '3.1.0' as const }),
})
