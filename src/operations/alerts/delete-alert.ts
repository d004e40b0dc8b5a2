import { deleteAlert } from '../../commands/alerts/delete-alert.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'

export const deleteAlertOperation = defineOperation({
  id: 'delete-alert',
  method: 'DELETE',
  path: '/v1/alerts/{id}',
  access: 'write',
  summary: 'Delete an alert rule',
  description: 'Deletes the rule and cancels its pending deliveries.',
  tag: 'Alerts',
  params: { id: idIn('feed') },
  status: 204,
  errors: [],
  tool: { name: 'delete_alert', title: 'Delete an alert rule', destructive: true, idempotent: true },
  run: (context, { params }) => deleteAlert(context, params.id),
})
