import { z } from 'zod'
import { PRESET_EVENTS } from '../../domain/alert/presets.ts'
import { PRESETS_VERSION_MAX } from '../../queries/channels/get-presets.ts'

const events = z.array(z.enum(PRESET_EVENTS)).max(PRESET_EVENTS.length)
const version = z.int().min(0).max(PRESETS_VERSION_MAX)

/** Which preset rules a channel has. */
export const presets = z
  .strictObject({
    events: events.meta({
      description: 'The rule events that the channel gets by a preset rule which is switched on.',
    }),
    version: version.meta({ description: 'Another number after every change of these rules; send it to change them.' }),
  })
  .meta({ id: 'ChannelPresets', description: 'The rule events of a webhook channel.' })

export const presetsIn = z.strictObject({
  events: events.meta({
    description: 'All rule events that the channel is to get; those that are left out are taken away.',
  }),
  version: version.meta({ description: 'The version that was read.' }),
})
