import { getSlackConnection } from '../../queries/slack/get-slack-connection.ts'
import { defineOperation } from '../definition.ts'
import { slackConnection } from './shapes.ts'

export const getSlackOperation = defineOperation({
  id: 'get-slack',
  method: 'GET',
  path: '/v1/slack',
  access: 'read',
  summary: 'Get the Slack connection',
  description: 'Returns the connected Slack workspace, since when, and whether Slack still accepts the connection.',
  tag: 'Slack',
  status: 200,
  output: slackConnection,
  errors: ['slack_not_configured', 'slack_not_connected'],
  tool: { name: 'get_slack', title: 'Get the Slack connection', destructive: false, idempotent: true },
  run: (context) => getSlackConnection(context),
})
