import { Button } from '../kit/button.tsx'
import { CheckPills } from '../kit/check-pills.tsx'
import { Chip } from '../kit/chip.tsx'
import { NativeSelect } from '../kit/field.tsx'
import { formatExact } from '../kit/time.tsx'
import styles from './log-filter.module.css'
import {
  isFiltered,
  KINDS,
  type LogQuery,
  NOTHING,
  SINCE_MS,
  type SincePreset,
  STATUSES,
  sinceOf,
} from './log-query.ts'
import type { useChoices } from './use-choices.ts'
import { words } from './words.ts'

interface LogFilterProps {
  query: LogQuery
  choices: Pick<ReturnType<typeof useChoices>, 'channels' | 'alerts'>
  onChange: (query: LogQuery) => void
}

const STATUS_OPTIONS = STATUSES.map((status) => ({ value: status, label: words.statuses[status] }))

export function LogFilter({ query, choices, onChange }: LogFilterProps) {
  const change = (part: Partial<LogQuery>) => onChange({ ...query, ...part })
  const channels = choices.channels.map(({ id, label }) => ({ value: id, label }))
  const alerts = choices.alerts.map(({ id, name }) => ({ value: id, label: name }))
  const kinds = KINDS.map((kind) => ({ value: kind, label: words.kinds[kind] }))
  const select = (name: 'channelId' | 'alertId', label: string, all: string, options: typeof channels) => (
    <NativeSelect
      className={styles.select}
      aria-label={label}
      options={[{ value: '', label: all }, ...options]}
      value={query[name] ?? ''}
      onChange={(event) => change({ [name]: event.target.value || null })}
    />
  )
  return (
    <search className={styles.filter} aria-label={words.filter}>
      <CheckPills
        legend={words.status}
        options={STATUS_OPTIONS}
        values={query.status}
        onChange={(status) => change({ status })}
      />
      {select('channelId', words.channel, words.allChannels, channels)}
      {select('alertId', words.rule, words.allRules, alerts)}
      <NativeSelect
        className={styles.select}
        aria-label={words.kind}
        options={[{ value: '', label: words.allKinds }, ...kinds]}
        value={query.kind ?? ''}
        onChange={(event) => change({ kind: KINDS.find((kind) => kind === event.target.value) ?? null })}
      />
      <SinceSelect since={query.since} onChange={(since) => change({ since })} />
      {query.mentionId !== null && (
        <Chip removeLabel={words.removeMention} onRemove={() => change({ mentionId: null })}>
          {words.mention}
        </Chip>
      )}
      {isFiltered(query) && (
        <Button size="small" variant="quiet" onClick={() => onChange(NOTHING)}>
          {words.clearFilter}
        </Button>
      )}
    </search>
  )
}

const PRESETS = Object.keys(SINCE_MS) as SincePreset[]

/** A time that is in the address stays until another is chosen. */
export function SinceSelect({ since, onChange }: { since: string | null; onChange: (since: string | null) => void }) {
  const present = since === null ? [] : [{ value: since, label: words.sinceTime(shown(since)) }]
  const presets = PRESETS.map((preset) => ({ value: preset as string, label: words.sincePresets[preset] }))
  return (
    <NativeSelect
      className={styles.select}
      aria-label={words.since}
      options={[{ value: '', label: words.anySince }, ...present, ...presets]}
      value={since ?? ''}
      onChange={(event) => {
        const preset = PRESETS.find((name) => name === event.target.value)
        onChange(preset === undefined ? event.target.value || null : sinceOf(preset, Date.now()))
      }}
    />
  )
}

function shown(since: string): string {
  return Number.isNaN(Date.parse(since)) ? since : formatExact(since)
}
