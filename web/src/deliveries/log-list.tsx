import { useLocation } from 'wouter'
import { keyOf } from '../app/key-table.ts'
import { QueryPanel } from '../app/query-panel.tsx'
import { RequestFailure } from '../app/request-failure.tsx'
import { Button, LinkButton } from '../kit/button.tsx'
import { Empty } from '../kit/empty.tsx'
import { followBy, type Navigate } from '../kit/follow.ts'
import { VisuallyHidden } from '../kit/visually-hidden.tsx'
import styles from './deliveries.module.css'
import { DeliveryRow } from './delivery-row.tsx'
import { isFiltered, type LogQuery, logHref, NOTHING, type Opened } from './log-query.ts'
import type { useFresh, useLog } from './use-log.ts'
import { words } from './words.ts'

interface LogListProps {
  query: LogQuery
  log: ReturnType<typeof useLog>['log']
  fresh: ReturnType<typeof useFresh>
  opened: Opened | null
  labelOf: (channelId: string) => string
  onNavigate: Navigate
}

export function LogList(props: LogListProps) {
  const { log, query, fresh } = props
  return (
    <section className={styles.list} aria-label={words.log} aria-busy={log.isPlaceholderData}>
      <div className={styles.listHead} role="status">
        <small>{log.data !== undefined && words.shown(fresh.shown.length, log.hasNextPage)}</small>
        {fresh.fresh > 0 && (
          <Button size="small" variant="primary" keys={keyOf('loadNew')} onClick={fresh.load}>
            {words.newOnes(fresh.fresh)}
            <VisuallyHidden>{words.announced(fresh.fresh)}</VisuallyHidden>
          </Button>
        )}
      </div>
      <div className={styles.scroll}>
        <QueryPanel query={log} lines={6} height={64}>
          {() => (fresh.shown.length === 0 ? <NoDelivery query={query} /> : <Rows {...props} />)}
        </QueryPanel>
      </div>
    </section>
  )
}

function Rows({ query, log, fresh, opened, labelOf, onNavigate }: LogListProps) {
  return (
    <>
      <ul className={styles.rows}>
        {fresh.shown.map((delivery) => {
          const { id, channelId } = delivery
          return (
            <DeliveryRow
              key={`${channelId} ${id}`}
              delivery={delivery}
              channel={labelOf(channelId)}
              href={logHref(query, { id, channelId })}
              isOpen={opened?.id === id && (opened.channelId ?? channelId) === channelId}
              onNavigate={onNavigate}
            />
          )
        })}
      </ul>
      {log.isFetchNextPageError && (
        <RequestFailure error={log.error as Error} onRetry={() => void log.fetchNextPage()} />
      )}
      <div className={styles.end}>
        {log.hasNextPage ? (
          <Button busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            {words.more}
          </Button>
        ) : (
          <small>{words.endOfLog}</small>
        )}
      </div>
    </>
  )
}

function NoDelivery({ query }: { query: LogQuery }) {
  const [, navigate] = useLocation()
  if (isFiltered(query))
    return (
      <Empty
        title={words.noMatch}
        action={<Button onClick={() => navigate(logHref(NOTHING))}>{words.clearFilter}</Button>}
      >
        {words.noMatchHint}
      </Empty>
    )
  return (
    <Empty
      title={words.none}
      action={
        <LinkButton href="/start" onClick={followBy(navigate)}>
          {words.toStart}
        </LinkButton>
      }
    >
      {words.noneHint}
    </Empty>
  )
}
