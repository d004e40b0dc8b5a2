import { setPresets } from '../../commands/alerts/set-presets.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { presets, presetsIn } from './presets-shape.ts'

export const setPresetsOperation = defineOperation({
  id: 'set-presets',
  method: 'PUT',
  path: '/v1/channels/{id}/presets',
  access: 'write',
  summary: "Set a channel's presets",
  description:
    'Creates a rule for this channel alone for each event without one, and deletes the preset rules ' +
    'of omitted events with their pending deliveries. Existing preset rules are kept, and enabled if ' +
    "disabled. Other rules are not changed. Exceeding the workspace's limit of rules is a conflict.",
  tag: 'Channels',
  params: { id: idIn('dest') },
  body: presetsIn,
  status: 200,
  output: presets,
  errors: ['version_conflict'],
  tool: {
    name: 'set_presets',
    title: "Set a channel's presets",
    destructive: true,
    idempotent: true,
    openWorld: true,
  },
  run: (context, { params, body }) => setPresets(context, params.id, body),
})
