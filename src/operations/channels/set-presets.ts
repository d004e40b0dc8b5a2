import { setPresets } from '../../commands/alerts/set-presets.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { presets, presetsIn } from './presets-shape.ts'

export const setPresetsOperation = defineOperation({
  id: 'set-presets',
  method: 'PUT',
  path: '/v1/channels/{id}/presets',
  access: 'write',
  summary: 'Set the rule events of a webhook channel',
  description:
    'Makes an ordinary rule of this channel alone for each event that has none yet, and deletes the preset rules ' +
    'of events that are left out, with what they have not sent yet. Rules that are there stay as they are; one ' +
    'that is switched off is switched on. Rules of other kinds are left alone. More rules than a workspace may ' +
    'have are a conflict.',
  tag: 'Channels',
  params: { id: idIn('dest') },
  body: presetsIn,
  status: 200,
  output: presets,
  errors: ['version_conflict', 'conflict'],
  tool: {
    name: 'set_presets',
    title: 'Set the rule events of a webhook channel',
    destructive: true,
    idempotent: true,
    openWorld: true,
  },
  run: (context, { params, body }) => setPresets(context, params.id, body),
})
