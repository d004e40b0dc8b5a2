import { getAlert } from '../../queries/alerts/get-alert.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { alert } from './shapes.ts'

export const getAlertOperation = defineOperation({
  id: 'get-alert',
  method: 'GET',
  path: '/v1/alerts/{id}',
  access: 'read',
  summary: 'Get an alert rule',
  description: 'Returns one rule with its channels and delivery statistics.',
  tag: 'Alerts',
  params: { id: idIn('feed') },
  status: 200,
  output: alert,
  errors: [],
  tool: { name: 'get_alert', title: 'Get an alert rule', destructive: false, idempotent: true },
  run: (context, { params }) => getAlert(context, params.id),
})
