import { z } from 'zod'
import { PRESET_EVENTS } from '../../domain/alert/presets.ts'
import { PRESETS_VERSION_MAX } from '../../queries/channels/get-presets.ts'

const events = z.array(z.enum(PRESET_EVENTS)).max(PRESET_EVENTS.length)
const version = z.int().min(0).max(PRESETS_VERSION_MAX)

/** Which preset rules a channel has. */
export const presets = z
  .strictObject({
    events: events.meta({
      description: 'Events for which the channel has an enabled preset rule.',
    }),
    version: version.meta({ description: 'Changes with every change of these rules. Send it with an update.' }),
  })
  .meta({ id: 'ChannelPresets', description: 'Preset rules of a webhook channel.' })

export const presetsIn = z.strictObject({
  events: events.meta({
    description: 'All events the channel should receive; the preset rules of other events are deleted.',
  }),
  version: version.meta({ description: 'Version that was read.' }),
})
