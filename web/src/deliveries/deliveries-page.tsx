import { useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { useKeys } from '../app/keys.ts'
import { useTitle } from '../app/page.tsx'
import { Button } from '../kit/button.tsx'
import { Empty } from '../kit/empty.tsx'
import { SplitPane } from '../kit/split-pane.tsx'
import styles from './deliveries.module.css'
import { DeliveryView } from './delivery-view.tsx'
import { LogFilter } from './log-filter.tsx'
import { LogList } from './log-list.tsx'
import { type LogQuery, logHref, logQueryIn, type Opened, openedIn } from './log-query.ts'
import { ResendDialog } from './resend-dialog.tsx'
import { useChoices } from './use-choices.ts'
import { useFresh, useLog } from './use-log.ts'
import { words } from './words.ts'

/** The log over all channels, and the open delivery beside it. */
export default function DeliveriesPage() {
  useTitle(words.title)
  const [params] = useSearchParams()
  const [, navigate] = useLocation()
  const query = logQueryIn(params)
  const opened = openedIn(params)
  const choices = useChoices()
  const { log, deliveries } = useLog(query)
  const fresh = useFresh(deliveries, logHref(query), opened !== null)
  const open = (next: Opened | null) => navigate(logHref(query, next))
  const show = (next: LogQuery) => navigate(logHref(next), { replace: true })
  useMoves(fresh.shown, opened, open, fresh.load)
  return (
    <main className={styles.page} data-open={opened !== null || undefined}>
      <PageHead query={query} choices={choices} />
      <LogFilter query={query} choices={choices} onChange={show} />
      <div className={styles.panes}>
        <SplitPane
          showDetail={opened !== null}
          list={
            <LogList
              query={query}
              log={log}
              fresh={fresh}
              opened={opened}
              labelOf={choices.labelOf}
              onNavigate={navigate}
            />
          }
          detail={<Detail opened={opened} onOpen={open} />}
        />
      </div>
    </main>
  )
}

function PageHead({ query, choices }: { query: LogQuery; choices: ReturnType<typeof useChoices> }) {
  const [resending, setResending] = useState(false)
  return (
    <header className={styles.head}>
      <h1 className={styles.heading}>{words.title}</h1>
      <Button onClick={() => setResending(true)}>{words.sendFailed}</Button>
      {resending && <ResendDialog query={query} choices={choices} onClose={() => setResending(false)} />}
    </header>
  )
}

function Detail({ opened, onOpen }: { opened: Opened | null; onOpen: (opened: Opened | null) => void }) {
  if (opened === null) return <Empty title={words.choose}>{words.chooseHint}</Empty>
  return (
    <div className={styles.detail}>
      <div className={styles.back}>
        <Button size="small" onClick={() => onOpen(null)}>
          {words.back}
        </Button>
      </div>
      <DeliveryView key={`${opened.id} ${opened.channelId}`} opened={opened} onOpen={onOpen} />
    </div>
  )
}

function useMoves(
  shown: ReturnType<typeof useFresh>['shown'],
  opened: Opened | null,
  open: (opened: Opened | null) => void,
  load: () => void,
): void {
  const at = shown.findIndex(({ id, channelId }) => id === opened?.id && channelId === (opened.channelId ?? channelId))
  const move = (index: number) => {
    const delivery = shown[Math.min(Math.max(index, 0), shown.length - 1)]
    if (delivery !== undefined) open({ id: delivery.id, channelId: delivery.channelId })
  }
  useKeys({
    next: () => move(at + 1),
    previous: () => move(at - 1),
    first: () => move(0),
    last: () => move(shown.length - 1),
    backToList: () => open(null),
    back: () => open(null),
    loadNew: load,
  })
}
