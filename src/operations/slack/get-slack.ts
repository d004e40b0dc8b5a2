import { getSlackConnection } from '../../queries/slack/get-slack-connection.ts'
import { defineOperation } from '../definition.ts'
import { slackConnection } from './shapes.ts'

export const getSlackOperation = defineOperation({
  id: 'get-slack',
  method: 'GET',
  path: '/v1/slack',
  access: 'read',
  summary: 'Read the connection to Slack',
  description: 'Which workspace at Slack is connected, since when, and whether Slack still takes the connection.',
  tag: 'Slack',
  status: 200,
  output: slackConnection,
  errors: ['slack_not_configured', 'slack_not_connected'],
  tool: { name: 'get_slack', title: 'Read the connection to Slack', destructive: false, idempotent: true },
  run: (context) => getSlackConnection(context),
})
