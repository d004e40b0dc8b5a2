import { useQuery } from '@tanstack/react-query'
import { listMentionChanges, type Mention, type MentionHistory } from '../api/mentions.ts'
import { RequestFailure } from '../app/request-failure.tsx'
import { Button } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { Skeleton } from '../kit/skeleton.tsx'
import { formatExact, Time } from '../kit/time.tsx'
import styles from './history-card.module.css'
import { words } from './words.ts'

interface HistoryCardProps {
  mention: Mention
  shown: boolean
  onShow: () => void
}

/** Who changed a mention, and when. */
export function HistoryCard({ mention, shown, onShow }: HistoryCardProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['mentions', 'history', mention.id],
    queryFn: ({ signal }) => listMentionChanges(mention.id, signal),
    enabled: shown,
  })
  return (
    <Card
      title={words.history}
      aside={
        <Button size="small" variant="quiet" aria-expanded={shown} onClick={onShow}>
          {shown ? words.hide : words.show}
        </Button>
      }
    >
      {shown && error !== null && <RequestFailure error={error} onRetry={() => void refetch()} />}
      {shown && error === null && data === undefined && <Skeleton lines={3} />}
      {shown && data?.data.length === 0 && <p className={styles.none}>{words.noHistory}</p>}
      {shown && data !== undefined && (
        <ul className={styles.changes}>
          {data.data.map((entry) => (
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
      )}
    </Card>
  )
}

function changeText({ field, to }: MentionHistory['data'][number]['changes'][number]): string {
  const name = words.historyFields[field] ?? field
  const value = typeof to === 'string' && field.startsWith('snooze') ? formatExact(to) : String(to)
  return words.historyChange(name, to === null ? null : value)
}
