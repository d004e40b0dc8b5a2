import { isRefusal } from '../../domain/refusal/refusal.ts'
import { listSlackChannels } from '../../queries/slack/list-slack-channels.ts'
import { defineOperation } from '../definition.ts'
import { slackChannels } from './shapes.ts'

export const listSlackChannelsOperation = defineOperation({
  id: 'list-slack-channels',
  method: 'GET',
  path: '/v1/slack/channels',
  access: 'read',
  summary: 'List Slack channels',
  description:
    'Returns the public channels of the connected Slack workspace and the private ones the app was ' +
    'invited to, at most 4,000. Reads from Slack each time.',
  tag: 'Slack',
  limit: { name: 'slack-channels', perMinute: 10 },
  status: 200,
  output: slackChannels,
  errors: ['slack_not_configured', 'slack_not_connected', 'upstream_unavailable'],
  tool: {
    name: 'list_slack_channels',
    title: 'List Slack channels',
    destructive: false,
    idempotent: true,
    openWorld: true,
  },
  async run(context) {
    const data = await listSlackChannels(context)
    return isRefusal(data) ? data : { data }
  },
})
