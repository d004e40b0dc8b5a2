import { useQuery } from '@tanstack/react-query'
import { listMentionChanges, type Mention, type MentionHistory } from '../api/mentions.ts'
import { QueryPanel } from '../app/query-panel.tsx'
import { formatExact, Time } from '../kit/time.tsx'
import { FoldedCard } from './folded-card.tsx'
import styles from './history-card.module.css'
import { words } from './words.ts'

interface HistoryCardProps {
  mention: Mention
  shown: boolean
  onShow: () => void
}

/** Who changed a mention, and when. */
export function HistoryCard({ mention, shown, onShow }: HistoryCardProps) {
  const history = useQuery({
    queryKey: ['mentions', 'history', mention.id],
    queryFn: ({ signal }) => listMentionChanges(mention.id, signal),
    enabled: shown,
  })
  return (
    <FoldedCard title={words.history} shown={shown} onShow={onShow}>
      <QueryPanel query={history} lines={3}>
        {({ data }) => <HistoryLines entries={data} />}
      </QueryPanel>
    </FoldedCard>
  )
}

function HistoryLines({ entries }: { entries: MentionHistory['data'] }) {
  if (entries.length === 0) return <p className={styles.none}>{words.noHistory}</p>
  return (
    <ul className={styles.changes}>
      {entries.map((entry) => (
        <li key={`${entry.at} ${entry.by.name}`} className={styles.change}>
          <span>
            <b>{entry.by.name}</b> {entry.changes.map(changeText).join(', ')}
          </span>
          <small>
            <Time at={entry.at} />
          </small>
        </li>
      ))}
    </ul>
  )
}

function changeText({ field, to }: MentionHistory['data'][number]['changes'][number]): string {
  const name = words.historyFields[field] ?? field
  const value = typeof to === 'string' && field.startsWith('snooze') ? formatExact(to) : String(to)
  return words.historyChange(name, to === null ? null : value)
}
