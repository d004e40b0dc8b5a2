import { getUsage } from '../../queries/usage/get-usage.ts'
import { defineOperation } from '../definition.ts'
import { usage } from './shapes.ts'

export const getUsageOperation = defineOperation({
  id: 'get-usage',
  method: 'GET',
  path: '/v1/usage',
  access: 'read',
  summary: 'Read balance and pace',
  description: 'What is left of the balance, how fast it goes, and how much was collected.',
  tag: 'Billing',
  status: 200,
  output: usage,
  errors: [],
  tool: { name: 'get_usage', title: 'Read balance and pace', destructive: false, idempotent: true },
  run: (context) => getUsage(context),
})
