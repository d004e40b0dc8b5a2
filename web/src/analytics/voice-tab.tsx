import { useLocation } from 'wouter'
import type { ShareOfVoice } from '../api/analytics.ts'
import type { Filter } from '../app/filter/filter-params.ts'
import { QueryPanel } from '../app/query-panel.tsx'
import { useReplace } from '../app/use-replace.ts'
import { LinkButton } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { paintBars } from '../kit/chart-picture.ts'
import { ChoiceLinks } from '../kit/choice-links.tsx'
import { formatCount } from '../kit/count.tsx'
import { Empty } from '../kit/empty.tsx'
import { followBy } from '../kit/follow.ts'
import { formatShare, roundedShare } from '../kit/share.tsx'
import { ShareBar } from '../kit/share-bar.tsx'
import styles from './analytics.module.css'
import { type ReportQuery, reportHref } from './report-query.ts'
import { Exports, Sheet, type SheetColumn } from './sheet.tsx'
import { inboxHref, useVoices } from './use-report.ts'
import { VoiceSlices } from './voice-slices.tsx'
import { countedFilter, voiceFilter, voiceName } from './voices.ts'
import { words } from './words.ts'

type Voice = ShareOfVoice['data'][number]

export function VoiceTab({ query }: { query: ReportQuery }) {
  const [kinds, keywords] = [useVoices(query, 'kind'), useVoices(query, 'keyword')]
  const filter = countedFilter(query)
  return (
    <div className={styles.stack} data-stale={kinds.isPlaceholderData || undefined}>
      <ChoiceLinks
        label={words.include}
        values={['relevant', 'all']}
        names={words.includes}
        current={query.includesAll ? 'all' : 'relevant'}
        hrefOf={(value) => reportHref({ ...query, includesAll: value === 'all' }, '/analytics/voice')}
        onNavigate={useReplace()}
      />
      <QueryPanel query={kinds} lines={2} height={88}>
        {(answer) =>
          answer.mentions === 0 && (answer.previousMentions ?? 0) === 0 ? (
            <NoVoice />
          ) : (
            <VoiceCard title={words.voice} answer={answer} filter={filter} />
          )
        }
      </QueryPanel>
      {keywords.data?.mentions !== 0 && (
        <QueryPanel query={keywords} lines={5} height={36}>
          {(answer) => <VoiceCard title={words.voices} answer={answer} filter={filter} />}
        </QueryPanel>
      )}
    </div>
  )
}

function NoVoice() {
  const [, navigate] = useLocation()
  return (
    <Empty
      title={words.noVoice}
      action={
        <LinkButton href="/keywords" onClick={followBy(navigate)}>
          {words.toKeywords}
        </LinkButton>
      }
    >
      {words.noVoiceHint}
    </Empty>
  )
}

interface VoiceCardProps {
  title: string
  answer: ShareOfVoice
  filter: Filter
}

/** Shares as slices of one bar, and as a table. */
function VoiceCard({ title, answer, filter }: VoiceCardProps) {
  const { data, window } = answer
  const hrefOf = (voice: Voice) => inboxHref(voiceFilter(voice, filter), window)
  const picture = () =>
    paintBars(
      { title, note: words.window(window.from, window.to) },
      data.map((voice, index) => ({
        label: voiceName(voice),
        value: voice.mentions,
        text: voice.share === null ? formatCount(voice.mentions) : formatShare(voice.share),
        colour: colourAt(index),
      })),
    )
  return (
    <Card
      title={title}
      aside={
        <Exports
          title={title}
          file={`share-of-voice-${window.from}-${window.to}`}
          columns={COLUMNS}
          rows={data}
          picture={picture}
        />
      }
    >
      <VoiceSlices voices={data} colourAt={colourAt} hrefOf={hrefOf} />
      <Sheet
        caption={title}
        columns={COLUMNS}
        rows={data}
        rowKey={({ kind, keyword }) => keyword?.id ?? kind}
        rowHref={hrefOf}
      />
    </Card>
  )
}

const COLOURS = 8

function colourAt(index: number): string {
  return index < COLOURS ? `--series-${index + 1}` : '--others'
}

const { columns } = words

const COLUMNS: readonly SheetColumn<Voice>[] = [
  { id: 'voice', label: words.dimensions.keyword, cell: voiceName },
  {
    ...{ id: 'share', label: columns.share, cell: ({ share }) => roundedShare(share) },
    show: ({ share }) => (
      <span className={styles.share}>
        <ShareBar parts={[{ share: share ?? 0, colour: '--accent' }]} />
        {share === null ? '–' : formatShare(share)}
      </span>
    ),
  },
  {
    ...{ id: 'before', label: words.shareBefore, align: 'end' },
    cell: ({ previousShare }) => roundedShare(previousShare),
    show: ({ share, previousShare }) =>
      previousShare === null ? (
        '–'
      ) : (
        <span className={styles.change}>
          {formatShare(previousShare)} <small>{words.points((share ?? 0) - previousShare)}</small>
        </span>
      ),
  },
  count('mentions', ({ mentions }) => mentions),
  count('positive', ({ sentiment }) => sentiment.positive),
  count('negative', ({ sentiment }) => sentiment.negative),
  { ...count('reach', ({ reach }) => reach), hideOnPhone: true },
]

function count(id: 'mentions' | 'positive' | 'negative' | 'reach', cell: (voice: Voice) => number): SheetColumn<Voice> {
  return { id, label: columns[id], align: 'end', cell, show: (voice) => formatCount(cell(voice)) }
}
