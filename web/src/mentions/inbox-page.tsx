import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useState } from 'react'
import type { Mention, MentionChange } from '../api/mentions.ts'
import type { Sort } from '../app/filter/filter-params.ts'
import { useKeys } from '../app/keys.ts'
import { useTitle } from '../app/page.tsx'
import { SplitPane } from '../kit/split-pane.tsx'
import { VirtualGrid } from '../kit/virtual-grid.tsx'
import { VisuallyHidden } from '../kit/visually-hidden.tsx'
import { changeMatching } from './bulk.ts'
import { BulkBar } from './bulk-bar.tsx'
import styles from './inbox-page.module.css'
import { InboxTop } from './inbox-top.tsx'
import { ListHead } from './list-head.tsx'
import { ListState } from './list-state.tsx'
import { MentionRow, ROW_HEIGHT, rowLabel } from './mention-row.tsx'
import { Reader } from './reader.tsx'
import { type ActiveMention, useActiveMention } from './use-active-mention.ts'
import { useArrivals } from './use-arrivals.ts'
import { useInboxAddress } from './use-inbox-address.ts'
import { useMentionActions } from './use-mention-actions.tsx'
import { useMentionCount } from './use-mention-count.ts'
import { type MentionList, useMentionList } from './use-mention-list.ts'
import { type Selection, useSelection } from './use-selection.ts'
import { useTriage } from './use-triage.ts'
import { words } from './words.ts'

const ViewDialog = lazy(async () => ({ default: (await import('./view-dialog.tsx')).ViewDialog }))

export default function InboxPage({ params }: { params: Readonly<Record<string, string>> }) {
  useTitle(words.inbox)
  const address = useInboxAddress(params['view'] ?? null)
  const list = useMentionList(address)
  const arrivals = useArrivals(address)
  const active = useActiveMention(list.mentions, address.linkedId)
  const selection = useSelection()
  const total = useMentionCount(address)
  const matching = address.filter.relevant === true ? total.relevant : total.total
  const [isSaving, setSaving] = useState(false)
  const { actions, dialog } = useInboxActions({ address, list, active, selection, matching })
  useMoves({ list, active, selection, load: arrivals.load })
  return (
    <>
      <InboxTop address={address} onSave={() => setSaving(true)} />
      <main className={styles.panes}>
        <VisuallyHidden as="h1">{words.inbox}</VisuallyHidden>
        <SplitPane
          showDetail={active.isOpen}
          list={
            <section className={styles.list} aria-label={words.mentions} aria-busy={list.isStale}>
              <ListHead
                address={address}
                arrivals={arrivals}
                count={total}
                onSelectAll={() => selection.selectAll(list.mentions)}
              />
              <BulkBar
                selection={selection}
                loaded={list.mentions.length}
                total={matching}
                onMatching={() => selection.selectAll(list.mentions)}
              />
              <Rows list={list} active={active} selection={selection} total={matching} />
              {list.mentions.length === 0 && <ListState list={list} address={address} />}
              <small className={styles.end}>{endOf(list, address.sort)}</small>
            </section>
          }
          detail={<Reader active={active} actions={actions} />}
        />
      </main>
      {dialog}
      <Suspense>{isSaving && <ViewDialog filter={address.filter} onClose={() => setSaving(false)} />}</Suspense>
    </>
  )
}

/** What stands below the last mention. */
function endOf({ mentions, hasMore, isFull }: MentionList, sort: Sort): string | null {
  if (isFull) return words.full
  if (mentions.length === 0 || hasMore) return null
  return sort === 'priority' || sort === 'engagement' ? words.endOfSort : words.endOfList
}

interface RowsProps {
  list: MentionList
  active: ActiveMention
  selection: Selection
  total: number | undefined
}

function Rows({ list, active, selection, total }: RowsProps) {
  const { toggle } = selection
  const renderRow = useCallback(
    (mention: Mention, state: { active: boolean; selected: boolean }) => (
      <MentionRow mention={mention} {...state} onSelect={toggle} />
    ),
    [toggle],
  )
  if (list.mentions.length === 0) return null
  return (
    <VirtualGrid
      label={words.mentions}
      rows={list.mentions}
      rowHeight={ROW_HEIGHT}
      rowKey={({ id }) => id}
      renderRow={renderRow}
      rowLabel={rowLabel}
      activeIndex={active.index}
      onActivate={(index) => {
        active.activate(index)
        active.open()
      }}
      onReachEnd={list.loadMore}
      total={total ?? null}
      selectedKeys={selection.ids}
    />
  )
}

interface InboxState {
  address: ReturnType<typeof useInboxAddress>
  list: MentionList
  active: ActiveMention
  selection: Selection
  matching: number | undefined
}

/** The actions on the selection, or on the active mention without one. */
function useInboxActions({ address, list, active, selection, matching }: InboxState) {
  const client = useQueryClient()
  const selected = list.mentions.filter(({ id }) => selection.ids.has(id))
  const mentions = selected.length > 0 ? selected : [active.mention].filter((mention) => mention !== null)
  const triage = useTriage()
  const changeAll = async (change: MentionChange, what: string) => {
    await triage.settle()
    await changeMatching(client, { ...address, count: matching ?? 0 }, change, what)
  }
  return useMentionActions({
    mentions,
    current: active.mention,
    changeAll: selection.isMatching && matching !== undefined ? changeAll : null,
    onSettled: () => {
      const changed = new Set(mentions.map(({ id }) => id))
      const after = list.mentions.findIndex(({ id }, index) => index > active.index && !changed.has(id))
      selection.clear()
      active.activate(after >= 0 ? after : active.index - 1)
    },
  })
}

function useMoves({ list, active, selection, load }: Omit<RowsProps, 'total'> & { load: () => void }): void {
  const move = (index: number) => {
    active.activate(index)
    if (index >= list.mentions.length - 5) list.loadMore()
  }
  const extend = (step: number) => {
    if (active.mention !== null) selection.add(active.mention)
    move(active.index + step)
  }
  useKeys({
    next: () => move(active.index + 1),
    previous: () => move(active.index - 1),
    first: () => move(0),
    last: () => move(list.mentions.length - 1),
    open: active.open,
    backToList: active.close,
    back: selection.ids.size > 0 ? selection.clear : active.close,
    loadNew: load,
    select: () => active.mention !== null && selection.toggle(active.mention),
    selectNext: () => extend(1),
    selectPrevious: () => extend(-1),
    selectAll: () => selection.selectAll(list.mentions),
  })
}
