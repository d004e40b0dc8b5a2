import { getPresets } from '../../queries/channels/get-presets.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { presets } from './presets-shape.ts'

export const getPresetsOperation = defineOperation({
  id: 'get-presets',
  method: 'GET',
  path: '/v1/channels/{id}/presets',
  access: 'read',
  summary: "Get a channel's presets",
  description:
    'Returns the events for which a webhook channel has a preset rule: an enabled rule for this ' +
    "channel alone, with the preset's mode and filter. Its name, muted authors and digest time may " +
    'differ; a rule with other changes is an ordinary rule and is not listed. Other kinds of ' +
    'channels have no presets.',
  tag: 'Channels',
  params: { id: idIn('dest') },
  status: 200,
  output: presets,
  errors: [],
  tool: {
    name: 'get_presets',
    title: "Get a channel's presets",
    destructive: false,
    idempotent: true,
  },
  run: (context, { params }) => getPresets(context, params.id),
})
