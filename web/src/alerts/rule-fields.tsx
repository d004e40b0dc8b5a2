import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Alert } from '../api/alerts.ts'
import { ApiError } from '../api/errors.ts'
import { QueryPanel } from '../app/query-panel.tsx'
import { CHANNELS_QUERY } from '../app/workspace-queries.ts'
import { Card } from '../kit/card.tsx'
import { Checkbox, Field, NativeSelect, RadioCards, TextInput } from '../kit/field.tsx'
import styles from './alerts.module.css'
import type { RuleDraft } from './draft.ts'
import { firstSchedule, ownZone, readTime, type Schedule, timeOf, WEEKDAYS } from './schedule.ts'
import { words } from './words.ts'

interface RuleFieldsProps {
  draft: RuleDraft
  change: (part: Partial<RuleDraft>) => void
  error: Error | null
}

const MODES = (Object.keys(words.modes) as Alert['mode'][]).map((mode) => ({
  value: mode,
  label: words.modes[mode],
  hint: words.modeHints[mode],
}))

/** Name, time and channels of a rule. */
export function RuleFields({ draft, change, error }: RuleFieldsProps) {
  const fields = error instanceof ApiError ? error.fields : null
  return (
    <Card title={words.when}>
      <div className={styles.stack}>
        <Field label={words.name} error={fields?.get('name')}>
          <TextInput
            value={draft.name}
            maxLength={80}
            dir="auto"
            placeholder={words.namePlaceholder}
            onChange={(event) => change({ name: event.target.value })}
          />
        </Field>
        <RadioCards
          legend={words.mode}
          options={MODES}
          value={draft.mode}
          onChange={(mode) => change({ mode, schedule: firstSchedule(mode, draft.schedule) })}
        />
        {draft.schedule !== null && (
          <ScheduleFields
            schedule={draft.schedule}
            isWeekly={draft.mode === 'weekly'}
            onChange={(schedule) => change({ schedule })}
          />
        )}
        <ChannelTicks chosen={draft.channelIds} onChange={(channelIds) => change({ channelIds })} />
        <Field label={words.event} hint={words.eventHint} error={fields?.get('event')}>
          <TextInput
            value={draft.event}
            maxLength={60}
            dir="ltr"
            placeholder={draft.mode === 'instant' ? 'mention.matched' : 'digest'}
            onChange={(event) => change({ event: event.target.value })}
          />
        </Field>
      </div>
    </Card>
  )
}

interface ScheduleFieldsProps {
  schedule: Schedule
  isWeekly: boolean
  onChange: (schedule: Schedule) => void
}

const DAYS = WEEKDAYS.map((label, day) => ({ value: String(day), label }))

function ScheduleFields({ schedule, isWeekly, onChange }: ScheduleFieldsProps) {
  const own = ownZone()
  const zones = [...new Set([own, schedule.timezone, 'UTC'])]
  return (
    <div className={styles.schedule}>
      {isWeekly && (
        <Field label={words.weekday}>
          <NativeSelect
            options={DAYS}
            value={String(schedule.weekday ?? 1)}
            onChange={(event) => onChange({ ...schedule, weekday: Number(event.target.value) })}
          />
        </Field>
      )}
      <Field label={words.time}>
        <TextInput
          type="time"
          required
          value={timeOf(schedule)}
          onChange={(event) => {
            const time = readTime(event.target.value)
            if (time !== null) onChange({ ...schedule, ...time })
          }}
        />
      </Field>
      <Field label={words.zone}>
        <NativeSelect
          options={zones.map((zone) => ({ value: zone, label: zone === own ? words.ownZone(zone) : zone }))}
          value={schedule.timezone}
          onChange={(event) => onChange({ ...schedule, timezone: event.target.value })}
        />
      </Field>
      <Checkbox
        label={words.skipEmpty}
        checked={schedule.skipEmpty}
        onChange={(event) => onChange({ ...schedule, skipEmpty: event.target.checked })}
      />
    </div>
  )
}

function ChannelTicks({ chosen, onChange }: { chosen: readonly string[]; onChange: (ids: string[]) => void }) {
  const channels = useQuery(CHANNELS_QUERY)
  const toggle = (id: string) => onChange(chosen.includes(id) ? chosen.filter((kept) => kept !== id) : [...chosen, id])
  return (
    <fieldset className={styles.ticks}>
      <legend>{words.channels}</legend>
      <QueryPanel query={channels} lines={2} height={24}>
        {({ data }) => (
          <>
            {data.length === 0 && (
              <p>
                {words.noChannelYet} <Link href="/channels/new">{words.addChannel}</Link>
              </p>
            )}
            {data.map(({ id, label, enabled }) => (
              <Checkbox
                key={id}
                label={<bdi>{label}</bdi>}
                hint={enabled ? undefined : words.channelOff}
                checked={chosen.includes(id)}
                onChange={() => toggle(id)}
              />
            ))}
          </>
        )}
      </QueryPanel>
    </fieldset>
  )
}
