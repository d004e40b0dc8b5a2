import { getUsage } from '../../queries/usage/get-usage.ts'
import { defineOperation } from '../definition.ts'
import { usage } from './shapes.ts'

export const getUsageOperation = defineOperation({
  id: 'get-usage',
  method: 'GET',
  path: '/v1/usage',
  access: 'read',
  summary: 'Get usage',
  description: 'Returns the balance, the spending rate and the number of collected mentions.',
  tag: 'Billing',
  status: 200,
  output: usage,
  errors: [],
  tool: { name: 'get_usage', title: 'Get usage', destructive: false, idempotent: true },
  run: (context) => getUsage(context),
})
