import { useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import type { AttentionItem } from '../api/attention.ts'
import { isGone } from '../api/errors.ts'
import { DeleteDialog } from '../app/delete-dialog.tsx'
import { useKeys } from '../app/keys.ts'
import { Page } from '../app/page.tsx'
import { QueryPanel } from '../app/query-panel.tsx'
import { RequestFailure } from '../app/request-failure.tsx'
import { Button, LinkButton } from '../kit/button.tsx'
import { Empty } from '../kit/empty.tsx'
import { Notice } from '../kit/notice.tsx'
import { TabLinks } from '../kit/tabs.tsx'
import styles from './attention.module.css'
import { helpFor } from './help.ts'
import { ItemCard } from './item-card.tsx'
import { useDismissal, useItems, useLinkedItem } from './use-attention.ts'
import { words } from './words.ts'

type Status = AttentionItem['status']
const STATUSES = Object.keys(words.statuses) as Status[]

function hrefOf(status: Status, item?: string | null): string {
  const params = new URLSearchParams()
  if (status !== 'open') params.set('status', status)
  if (item) params.set('item', item)
  const query = params.toString()
  return query === '' ? '/attention' : `/attention?${query}`
}

/** What needs a look, what each item means, and what helps. Messages link to `/attention?item=`. */
export default function AttentionPage() {
  const [params] = useSearchParams()
  const status = STATUSES.find((known) => known === params.get('status')) ?? 'open'
  const chosen = params.get('item')
  const { list, items } = useItems(status)
  const isListed = items.some(({ id }) => id === chosen)
  const linked = useLinkedItem(chosen, isListed || list.data === undefined)
  const linkedItem = isListed ? undefined : linked.data
  const shown = linkedItem === undefined ? items : [linkedItem, ...items]
  const [, navigate] = useLocation()
  const { dismissing, ask, dialog } = useQuestion((dismissed) => {
    if (chosen === null || !dismissed.includes(chosen)) return
    const at = shown.findIndex(({ id }) => id === chosen)
    const next = shown[at + 1] ?? shown[at - 1]
    navigate(hrefOf(status, dismissed.length === 1 ? next?.id : null), { replace: true })
  })
  useMoves(shown, status, chosen, ask)
  return (
    <Page
      title={words.title}
      actions={status === 'open' && items.length > 1 && <Button onClick={() => ask(items)}>{words.dismissAll}</Button>}
    >
      <StatusTabs status={status} />
      <p className={styles.hint}>
        {words.checks} <a href="/guide/guides/attention">{words.guide}</a>
      </p>
      <div className={styles.items} aria-busy={dismissing}>
        {!isListed && isGone(linked.error) && <GoneItem />}
        <QueryPanel query={list} lines={4} height={120}>
          {() => <Items items={shown} linkedId={linkedItem?.id} status={status} chosen={chosen} onDismiss={ask} />}
        </QueryPanel>
        {list.isFetchNextPageError && (
          <RequestFailure error={list.error as Error} onRetry={() => void list.fetchNextPage()} />
        )}
        {list.hasNextPage && (
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {words.more}
          </Button>
        )}
      </div>
      {dialog}
    </Page>
  )
}

function StatusTabs({ status }: { status: Status }) {
  const [, navigate] = useLocation()
  const tabs = STATUSES.map((name) => ({ href: hrefOf(name), label: words.statuses[name], current: name === status }))
  return <TabLinks label={words.states} tabs={tabs} onNavigate={navigate} />
}

function GoneItem() {
  return (
    <Notice
      tone="warning"
      action={
        <LinkButton size="small" href="/workspaces">
          {words.toWorkspaces}
        </LinkButton>
      }
    >
      <p>
        <b>{words.gone}.</b> {words.goneHint}
      </p>
    </Notice>
  )
}

interface ItemsProps {
  items: readonly AttentionItem[]
  linkedId: string | undefined
  status: Status
  chosen: string | null
  onDismiss: (items: readonly AttentionItem[]) => void
}

function Items({ items, linkedId, status, chosen, onDismiss }: ItemsProps) {
  if (items.length === 0)
    return (
      <Empty title={words.none[status]} quiet={status === 'open'}>
        {words.noneHints[status]}
      </Empty>
    )
  return (
    <ol className={styles.list}>
      {items.map((item) => (
        <ItemCard
          key={item.id}
          item={item}
          isChosen={item.id === chosen}
          isLinked={item.id === linkedId}
          onDismiss={() => onDismiss([item])}
        />
      ))}
    </ol>
  )
}

/** The question before items are dismissed. */
function useQuestion(onDismissed: (ids: readonly string[]) => void) {
  const [asked, setAsked] = useState<readonly AttentionItem[]>([])
  const close = () => setAsked([])
  const dismissal = useDismissal((ids) => {
    close()
    onDismissed(ids)
  })
  const isOne = asked.length <= 1
  const dialog = (
    <DeleteDialog
      open={asked.length > 0}
      onClose={close}
      title={isOne ? words.dismissTitle : words.dismissAllTitle(asked.length)}
      text={isOne ? words.dismissText : words.dismissAllText}
      label={isOne ? words.dismiss : words.dismissAll}
      deletion={{ ...dismissal, mutate: () => dismissal.mutate(asked.map(({ id }) => id)) }}
    />
  )
  return { dismissing: dismissal.isPending, ask: setAsked, dialog }
}

function useMoves(
  shown: readonly AttentionItem[],
  status: Status,
  chosen: string | null,
  ask: (items: readonly AttentionItem[]) => void,
): void {
  const [, navigate] = useLocation()
  const at = shown.findIndex(({ id }) => id === chosen)
  const item = shown[at]
  const move = (index: number) => {
    const next = shown[Math.min(Math.max(index, 0), shown.length - 1)]
    if (next !== undefined) navigate(hrefOf(status, next.id), { replace: true })
  }
  const leave = () => navigate(hrefOf(status), { replace: true })
  useKeys({
    next: () => move(at + 1),
    previous: () => move(at - 1),
    first: () => move(0),
    last: () => move(shown.length - 1),
    open: () => {
      const help = item && helpFor(item)[0]
      if (help) navigate(help.href)
    },
    done: () => {
      if (item?.status === 'open') ask([item])
    },
    backToList: leave,
    back: leave,
  })
}
