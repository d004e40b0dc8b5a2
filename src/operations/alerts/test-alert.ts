import { testAlert } from '../../commands/alerts/test-alert.ts'
import { TEST_LIMIT, testOutcomes } from '../channels/shapes.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'

export const testAlertOperation = defineOperation({
  id: 'test-alert',
  method: 'POST',
  path: '/v1/alerts/{id}/test',
  access: 'write',
  summary: 'Test an alert rule',
  description:
    'Sends the event `test` to every channel of the rule, with one attempt each. Disabled channels ' +
    'are reported in the outcome. Tests are not in the delivery log.',
  tag: 'Alerts',
  params: { id: idIn('feed') },
  status: 200,
  output: testOutcomes,
  errors: ['rule_disabled', 'no_channels', 'delivery_key_unavailable'],
  limit: TEST_LIMIT,
  tool: { name: 'test_alert', title: 'Test an alert rule', destructive: false, idempotent: false, openWorld: true },
  run: (context, { params }) => testAlert(context, params.id),
})
