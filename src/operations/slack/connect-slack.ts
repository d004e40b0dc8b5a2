import { connectSlack } from '../../commands/channels/slack/connect-slack.ts'
import { defineOperation } from '../definition.ts'
import { actorOf } from '../mentions/actor-of.ts'
import { slackConnectAddress } from './shapes.ts'

export const connectSlackOperation = defineOperation({
  id: 'connect-slack',
  method: 'POST',
  path: '/v1/slack/connect',
  access: 'write',
  summary: 'Connect Slack',
  description:
    'Returns an address at which a person allows the app in their Slack workspace. The current ' +
    'connection stays until then and is replaced.',
  tag: 'Slack',
  status: 200,
  output: slackConnectAddress,
  errors: ['slack_not_configured'],
  tool: { name: 'connect_slack', title: 'Connect Slack', destructive: false, idempotent: false, openWorld: true },
  run: (context) => connectSlack(context, actorOf(context.caller), context.caller.kind === 'session'),
})
