import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { type Alert, type AlertPreview, previewAlert } from '../api/alerts.ts'
import { printFilter } from '../app/filter/filter-params.ts'
import { authorName } from '../app/post/author-name.ts'
import { MentionLine, MentionLines } from '../app/post/mention-lines.tsx'
import { QueryPanel } from '../app/query-panel.tsx'
import { type WeekBar, WeekBars } from '../kit/bars.tsx'
import { IconButton } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { NativeSelect } from '../kit/field.tsx'
import { Mute } from '../kit/icons.tsx'
import { formatUtcDayOfMonth } from '../kit/time.tsx'
import { useRested } from '../kit/use-rested.ts'
import styles from './alerts.module.css'
import { filterOf, type RuleDraft } from './draft.ts'
import { useAuthorMute } from './use-alert.ts'
import { words } from './words.ts'

const DAYS = [7, 14, 30] as const
const OPTIONS = DAYS.map((days) => ({ value: String(days), label: words.dayOptions[days] }))
const LEGEND = [{ tone: 'accent', label: words.legend }] as const

/** What the conditions of the editor would have sent lately, counted anew with each change. */
export function PreviewCard({ draft, alert }: { draft: RuleDraft; alert: Alert | null }) {
  const [days, setDays] = useState<number>(7)
  const filter = useRested(JSON.stringify(filterOf(draft)))
  const preview = useQuery({
    queryKey: ['alert-preview', filter, days],
    queryFn: ({ signal }) => previewAlert({ filter: JSON.parse(filter), days }, signal),
    placeholderData: keepPreviousData,
  })
  return (
    <Card
      title={words.preview}
      aside={
        <NativeSelect
          aria-label={words.days}
          options={OPTIONS}
          value={String(days)}
          onChange={(event) => setDays(Number(event.target.value))}
        />
      }
    >
      <div className={styles.preview} aria-busy={preview.isPlaceholderData}>
        <QueryPanel query={preview} lines={6} height={32}>
          {(data) => <Preview preview={data} draft={draft} alert={alert} />}
        </QueryPanel>
      </div>
    </Card>
  )
}

interface PreviewProps {
  preview: AlertPreview
  draft: RuleDraft
  alert: Alert | null
}

function Preview({ preview: { matched, days, perDay, sample }, draft, alert }: PreviewProps) {
  const [, navigate] = useLocation()
  const bars = perDay.map(
    ({ day, count }): WeekBar => ({ label: formatUtcDayOfMonth(day), parts: [{ value: count, tone: 'accent' }] }),
  )
  const since = perDay[0]?.day
  const search = printFilter({ relevant: true, ...draft.filter, ...(since === undefined ? {} : { since }) })
  return (
    <>
      <p role="status">
        <b>{words.counted(matched, days)}</b>
      </p>
      <small>{words.countedNote}</small>
      <WeekBars bars={bars} legend={LEGEND} caption={words.preview} onNavigate={navigate} />
      {sample.length > 0 && (
        <>
          <h3>{words.newest}</h3>
          <MentionLines>
            {sample.slice(0, 5).map((mention) => (
              <Sample key={mention.id} mention={mention} alert={alert} />
            ))}
          </MentionLines>
          {draft.anyOf === undefined && <Link href={`/inbox?${search}`}>{words.openAll}</Link>}
        </>
      )}
    </>
  )
}

type SampleMention = AlertPreview['sample'][number]

function Sample({ mention: { id, post, author }, alert }: { mention: SampleMention; alert: Alert | null }) {
  return (
    <MentionLine id={id} post={post} author={author}>
      {alert !== null && <MuteButton alert={alert} author={author} />}
    </MentionLine>
  )
}

function MuteButton({ alert, author }: { alert: Alert; author: SampleMention['author'] }) {
  const { muting } = useAuthorMute(alert)
  const entry = author?.url ?? author?.handle ?? author?.name
  if (entry == null) return null
  return (
    <IconButton
      size="small"
      label={words.mute(authorName(author))}
      icon={<Mute />}
      disabled={muting.isPending}
      onClick={() => muting.mutate(entry)}
    />
  )
}
