import { disconnectSlack } from '../../commands/channels/slack/disconnect-slack.ts'
import { defineOperation } from '../definition.ts'

export const disconnectSlackOperation = defineOperation({
  id: 'disconnect-slack',
  method: 'DELETE',
  path: '/v1/slack',
  access: 'write',
  summary: 'Disconnect Slack',
  description:
    'Removes the connection and revokes it at Slack. Slack channels stay but cannot send until the ' +
    'same Slack workspace is connected again.',
  tag: 'Slack',
  status: 204,
  errors: ['slack_not_configured', 'slack_not_connected'],
  tool: { name: 'disconnect_slack', title: 'Disconnect Slack', destructive: true, idempotent: true, openWorld: true },
  run: (context) => disconnectSlack(context),
})
