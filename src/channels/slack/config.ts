import { isRefusal, type Refusal, refuseField } from '../../domain/refusal/refusal.ts'
import { cleanLine, excerpt } from '../../kernel/text.ts'
import { checkEvents, checkLabel, MAX_LABEL_LENGTH } from '../checked-settings.ts'
import type { ChannelSettings, ChannelSetup } from '../contract.ts'

export interface SlackDestination {
  /** Set from the connection and never shown. */
  teamId: string
  channelId: string
  /** Without a leading sign. */
  channelName: string
}

/** The service sets the team. */
export interface SlackInput extends SlackDestination {
  label?: string | undefined
  events?: readonly string[] | undefined
  /** Refused fields of other kinds. */
  url?: unknown
  headers?: unknown
}

export function createSlackSetup(): ChannelSetup<SlackInput, SlackDestination> {
  return {
    create({ teamId, channelId, channelName, label, events = [] }) {
      const config = checkDestination(teamId, channelId, channelName)
      return isRefusal(config)
        ? config
        : settingsOf(config, label ?? excerpt(`#${config.channelName}`, MAX_LABEL_LENGTH), events)
    },
    change(current, input) {
      for (const field of ['url', 'headers'] as const)
        if (input[field] !== undefined) return refuseField(field, 'is not a field of a Slack channel')
      const settings = settingsOf(current.config, input.label ?? current.label, input.events ?? current.events)
      return isRefusal(settings) ? settings : { settings, cancelsUnsent: false }
    },
    newSecret: () => null,
  }
}

/** Slack also accepts names, and ids of people lead to direct messages. */
function checkDestination(
  teamId: string,
  channelId: string,
  channelName: string,
): SlackDestination | Refusal<'validation_error'> {
  if (!/^[CG][A-Z0-9]{1,30}$/.test(channelId)) return refuseField('channelId', 'must be the id of a channel, as listed')
  const name = cleanLine(channelName).replace(/^#+\s*/, '')
  return name === '' ? refuseField('channelName', 'must not be empty') : { teamId, channelId, channelName: name }
}

function settingsOf(
  config: SlackDestination,
  label: string,
  names: readonly string[],
): ChannelSettings<SlackDestination> | Refusal<'validation_error'> {
  const checked = checkLabel(label)
  if (isRefusal(checked)) return checked
  const events = checkEvents('slack', names)
  return isRefusal(events) ? events : { label: checked, config, events }
}
