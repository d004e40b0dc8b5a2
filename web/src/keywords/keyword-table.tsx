import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Keyword } from '../api/keywords.ts'
import { monthAt } from '../app/month/month.ts'
import { centsPerRelevant, relevantIn } from '../app/month/relevant-in-month.ts'
import { Badge } from '../kit/badge.tsx'
import { IconButton } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { Count } from '../kit/count.tsx'
import { type Column, DataTable } from '../kit/data-table.tsx'
import { More } from '../kit/icons.tsx'
import { Menu } from '../kit/menu.tsx'
import { formatPrice, Money } from '../kit/money.tsx'
import { Share } from '../kit/share.tsx'
import { Time } from '../kit/time.tsx'
import { DeleteKeyword } from './delete-keyword.tsx'
import { HealthBadge } from './health-badge.tsx'
import styles from './keywords.module.css'
import { type ListQuery, listHref, type Sort } from './list-query.ts'
import { relevantShare, stateOf } from './state.ts'
import { usePause } from './use-keyword.ts'
import { words } from './words.ts'

export function KeywordTable({ keywords, query }: { keywords: readonly Keyword[]; query: ListQuery }) {
  const [, navigate] = useLocation()
  const month = monthAt(Date.now())
  const relevant = useQuery({
    queryKey: ['keywords', 'relevant', month],
    queryFn: ({ signal }) => relevantIn(month, {}, signal),
  })
  return (
    <Card>
      <DataTable
        caption={words.caption}
        columns={columnsOf(query, relevant.data)}
        rows={keywords}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/keywords/${id}`}
        onNavigate={navigate}
      />
    </Card>
  )
}

function columnsOf(query: ListQuery, relevant: ReadonlyMap<string, number> | undefined): Column<Keyword>[] {
  const sortedBy = (sort: Sort, sorted: 'ascending' | 'descending') => ({
    sortHref: listHref({ ...query, sort }),
    ...(query.sort === sort ? { sorted } : {}),
  })
  const { columns } = words
  return [
    {
      id: 'term',
      label: columns.term,
      ...sortedBy('term', 'ascending'),
      render: (keyword) => <Term keyword={keyword} />,
    },
    { id: 'state', label: columns.state, render: (keyword) => <State keyword={keyword} /> },
    { id: 'health', label: columns.health, render: ({ stats }) => <HealthBadge health={stats.health} /> },
    {
      id: 'recent',
      label: columns.recent,
      align: 'end',
      ...sortedBy('recent', 'descending'),
      render: ({ stats }) => <Count value={stats.last7d} />,
    },
    {
      id: 'relevant',
      label: columns.relevant,
      align: 'end',
      render: ({ stats }) => <Share value={relevantShare(stats.noise)} />,
    },
    { id: 'month', label: columns.month, align: 'end', render: ({ stats }) => <Money cents={stats.cost.totalCents} /> },
    {
      id: 'perRelevant',
      label: columns.perRelevant,
      align: 'end',
      render: ({ id, stats }) => formatPrice(centsPerRelevant(stats.cost.totalCents, relevant?.get(id) ?? 0)),
    },
    {
      id: 'last',
      label: columns.last,
      align: 'end',
      ...sortedBy('lastMention', 'descending'),
      render: ({ stats }) => (stats.lastMentionAt === null ? words.never : <Time at={stats.lastMentionAt} />),
    },
    { id: 'actions', label: columns.actions, align: 'end', render: (keyword) => <RowActions keyword={keyword} /> },
  ]
}

function Term({ keyword: { term, kind, group } }: { keyword: Keyword }) {
  return (
    <span className={styles.term}>
      <bdi>{term}</bdi>
      <small>
        {words.kinds[kind]} · <bdi>{group.name}</bdi>
      </small>
    </span>
  )
}

function State({ keyword }: { keyword: Keyword }) {
  const { tone, label, why } = stateOf(keyword)
  return (
    <span className={styles.state}>
      <Badge tone={tone}>{label}</Badge>
      {why !== null && <small>{why}</small>}
    </span>
  )
}

function RowActions({ keyword }: { keyword: Keyword }) {
  const [, navigate] = useLocation()
  const [deleting, setDeleting] = useState(false)
  const { toggle, label } = usePause(keyword)
  const close = () => setDeleting(false)
  return (
    <>
      <Menu
        label={words.actionsOf(keyword.term)}
        trigger={<IconButton size="small" label={words.actionsOf(keyword.term)} icon={<More />} />}
        items={[
          { label, onSelect: toggle },
          { label: words.openMentions, onSelect: () => navigate(`/inbox?keywordIds=${keyword.id}`) },
          { label: words.remove, danger: true, onSelect: () => setDeleting(true) },
        ]}
      />
      <DeleteKeyword keyword={keyword} open={deleting} onClose={close} onDeleted={close} />
    </>
  )
}
