import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Channel, type ChannelPresets, getPresets, setPresets } from '../api/channels.ts'
import { QueryPanel } from '../app/query-panel.tsx'
import { RequestFailure } from '../app/request-failure.tsx'
import { offerUndo } from '../app/undo.ts'
import { Card } from '../kit/card.tsx'
import { Checkbox } from '../kit/field.tsx'
import styles from './channels.module.css'
import { eventsFor } from './state.ts'
import { useChannelChange } from './use-channel.ts'
import { words } from './words.ts'

interface TicksProps<Name extends string> {
  legend: string
  names: Readonly<Record<Name, string>>
  all: readonly Name[]
  chosen: readonly Name[]
  disabled: boolean
  onChange: (chosen: Name[]) => void
}

/** Names that are ticked; a tick takes effect at once. */
function Ticks<Name extends string>({ legend, names, all, chosen, disabled, onChange }: TicksProps<Name>) {
  const toggle = (name: Name) => onChange(all.filter((known) => chosen.includes(known) !== (known === name)))
  return (
    <fieldset className={styles.ticks} aria-label={legend}>
      {all.map((name) => (
        <Checkbox
          key={name}
          label={names[name]}
          checked={chosen.includes(name)}
          aria-disabled={disabled}
          onChange={() => disabled || toggle(name)}
        />
      ))}
    </fieldset>
  )
}

/** Which events of the account the channel receives. */
export function EventsCard({ channel }: { channel: Channel }) {
  const saving = useChannelChange(channel)
  return (
    <Card title={words.events}>
      <p className={styles.hint}>{words.eventsHint}</p>
      <Ticks
        legend={words.events}
        names={words.eventNames}
        all={eventsFor(channel.kind)}
        chosen={(saving.isPending && saving.variables.change.events) || channel.config.events}
        disabled={saving.isPending}
        onChange={(events) => saving.mutate({ change: { events }, text: words.eventsSaved })}
      />
      {saving.error !== null && <RequestFailure error={saving.error} />}
    </Card>
  )
}

type PresetEvent = ChannelPresets['events'][number]
const PRESETS = Object.keys(words.presetNames) as PresetEvent[]

/** Ready rules of a webhook for itself alone. */
export function PresetsCard({ channel: { id } }: { channel: Channel }) {
  const client = useQueryClient()
  const presets = useQuery({ queryKey: ['channels', id, 'presets'], queryFn: ({ signal }) => getPresets(id, signal) })
  const keep = (kept: ChannelPresets) => {
    client.setQueryData(['channels', id, 'presets'], kept)
    void client.invalidateQueries({ queryKey: ['alerts'] })
    void client.invalidateQueries({ queryKey: ['channels', id], exact: true })
  }
  const saving = useMutation({
    mutationFn: ({ events, version }: ChannelPresets) => setPresets(id, { events, version }),
    onSuccess: (saved) => {
      const former = presets.data?.events ?? []
      keep(saved)
      const revert = async () => keep(await setPresets(id, { events: former, version: saved.version }))
      offerUndo({ text: words.presetsSaved, revert })
    },
    onError: () => presets.refetch(),
  })
  return (
    <Card title={words.presets}>
      <p className={styles.hint}>{words.presetsHint}</p>
      <QueryPanel query={presets} lines={6} height={24}>
        {({ events, version }) => (
          <Ticks
            legend={words.presets}
            names={words.presetNames}
            all={PRESETS}
            chosen={saving.isPending ? saving.variables.events : events}
            disabled={saving.isPending}
            onChange={(chosen) => saving.mutate({ events: chosen, version })}
          />
        )}
      </QueryPanel>
      {saving.error !== null && <RequestFailure error={saving.error} />}
    </Card>
  )
}
