import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useLocation } from 'wouter'
import { Button, LinkButton } from '../kit/button.tsx'
import { followBy } from '../kit/follow.ts'
import { Notice } from '../kit/notice.tsx'
import { LOCALE } from '../kit/words.ts'
import { useWaiting, type Waiting } from './waiting.ts'
import { words } from './words.ts'
import { useWallet } from './workspace-queries.ts'

const clock = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit' })

/** One line on every page for what keeps the workspace from working. */
export function NoticeBar() {
  const online = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  )
  const wallet = useWallet()
  const waiting = useWaiting()
  const [, navigate] = useLocation()
  if (!online || waiting !== null) {
    const reason = online ? words.unanswered : words.offline(clock.format(wallet.dataUpdatedAt))
    return <ConnectionNotice reason={reason} waiting={waiting} />
  }
  if (wallet.data === undefined) return null
  const { stopped, lowBalance, daysLeft } = wallet.data
  if (!stopped && !lowBalance) return null
  return (
    <Notice
      tone={stopped ? 'negative' : 'warning'}
      action={
        <LinkButton size="small" href="/billing" onClick={followBy(navigate)}>
          {words.money}
        </LinkButton>
      }
    >
      {stopped ? words.stopped : words.lowBalance(daysLeft)}
    </Notice>
  )
}

/** What is not connected, and how many changes wait for it. */
function ConnectionNotice({ reason, waiting }: { reason: string; waiting: Waiting | null }) {
  if (waiting === null) return <Notice tone="warning">{reason}</Notice>
  const discard = (
    <Button size="small" onClick={waiting.discard}>
      {words.discardChanges}
    </Button>
  )
  return (
    <Notice tone="warning" action={discard}>
      {reason} {words.changesWait(waiting.count)}
    </Notice>
  )
}
