import { getPresets } from '../../queries/channels/get-presets.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { presets } from './presets-shape.ts'

export const getPresetsOperation = defineOperation({
  id: 'get-presets',
  method: 'GET',
  path: '/v1/channels/{id}/presets',
  access: 'read',
  summary: 'Read the rule events of a webhook channel',
  description:
    'The events for which the channel has a preset rule: one that goes to this channel alone, with the mode and ' +
    'the filter of the preset, and is switched on. Its name, muted authors and the time of a digest may be ' +
    'changed; a rule that is changed further is a rule like any other and not listed here. Other kinds of channel ' +
    'have no presets.',
  tag: 'Channels',
  params: { id: idIn('dest') },
  status: 200,
  output: presets,
  errors: [],
  tool: {
    name: 'get_presets',
    title: 'Read the rule events of a webhook channel',
    destructive: false,
    idempotent: true,
  },
  run: (context, { params }) => getPresets(context, params.id),
})
