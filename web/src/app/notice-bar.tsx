import { onlineManager, useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { getWallet } from '../api/workspace.ts'
import { LinkButton } from '../kit/button.tsx'
import { Notice } from '../kit/notice.tsx'
import { words } from './words.ts'

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })

/** One line on every page for what keeps the workspace from working. */
export function NoticeBar() {
  const online = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  )
  const wallet = useQuery({ queryKey: ['wallet'], queryFn: ({ signal }) => getWallet(signal) })
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
