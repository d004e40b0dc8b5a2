import { listAlerts } from '../../queries/alerts/list-alerts.ts'
import { defineOperation } from '../definition.ts'
import { listOut } from '../shapes.ts'
import { alert } from './shapes.ts'

export const listAlertsOperation = defineOperation({
  id: 'list-alerts',
  method: 'GET',
  path: '/v1/alerts',
  access: 'read',
  summary: 'List alert rules',
  description: 'Returns all rules, oldest first.',
  tag: 'Alerts',
  status: 200,
  output: listOut(alert, 100_000).meta({ id: 'AlertList', description: 'All alert rules.' }),
  errors: [],
  tool: { name: 'list_alerts', title: 'List alert rules', destructive: false, idempotent: true },
  run: async (context) => ({ data: await listAlerts(context) }),
})
