import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { LinkButton } from '../kit/button.tsx'
import { Notice } from '../kit/notice.tsx'
import { words } from './words.ts'
import { useWallet } from './workspace-queries.ts'

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })

/** One line on every page for what keeps the workspace from working. */
export function NoticeBar() {
  const online = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  )
  const wallet = useWallet()
  if (!online) return <Notice tone="warning">{words.offline(clock.format(wallet.dataUpdatedAt))}</Notice>
  if (wallet.data === undefined) return null
  const { stopped, lowBalance, daysLeft } = wallet.data
  if (!stopped && !lowBalance) return null
  return (
    <Notice
      tone={stopped ? 'negative' : 'warning'}
      action={
        <LinkButton size="small" href="/attention">
          {words.attention}
        </LinkButton>
      }
    >
      {stopped ? words.stopped : words.lowBalance(daysLeft)}
    </Notice>
  )
}
