import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useLocation, useSearchParams } from 'wouter'
import { type LedgerEntry, listLedger } from '../api/billing.ts'
import { NextPage } from '../app/next-page.tsx'
import { QueryPanel } from '../app/query-panel.tsx'
import { useLive } from '../app/use-live.ts'
import { useMay } from '../app/use-may.ts'
import { Button } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { type Column, DataTable } from '../kit/data-table.tsx'
import { Empty } from '../kit/empty.tsx'
import { NativeSelect } from '../kit/field.tsx'
import { Money } from '../kit/money.tsx'
import { formatUtcDay, Time } from '../kit/time.tsx'
import styles from './billing.module.css'
import { words } from './words.ts'

type Kind = LedgerEntry['kind']
const KINDS = Object.keys(words.kinds) as Kind[]
const PAGE = 50

/** Every change of the balance, with the balance after it. */
export function LedgerTab() {
  return useMay().manage ? <Ledger /> : <Empty title={words.tabs.ledger}>{words.whoSeesLedger}</Empty>
}

function Ledger() {
  const [params] = useSearchParams()
  const [, navigate] = useLocation()
  const kind = KINDS.find((name) => name === params.get('kind')) ?? null
  const show = (chosen: string) =>
    navigate(chosen === '' ? '/billing/ledger' : `/billing/ledger?kind=${chosen}`, { replace: true })
  const ledger = useInfiniteQuery({
    queryKey: ['ledger', kind],
    queryFn: ({ pageParam: cursor, signal }) =>
      listLedger({ limit: PAGE, ...(kind && { kind: [kind] }), ...(cursor === null ? {} : { cursor }) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  })
  useLive(['wallet.changed'], () => void ledger.refetch())
  return (
    <Card
      aside={
        <NativeSelect
          aria-label={words.kind}
          options={[
            { value: '', label: words.allKinds },
            ...KINDS.map((value) => ({ value, label: words.kinds[value] })),
          ]}
          value={kind ?? ''}
          onChange={(event) => show(event.target.value)}
        />
      }
    >
      <p className={styles.small}>{words.ledgerHint}</p>
      <QueryPanel query={ledger} lines={8} height={40}>
        {({ pages }) => <Entries entries={pages.flatMap(({ data }) => data)} kind={kind} onAll={() => show('')} />}
      </QueryPanel>
      <NextPage list={ledger} label={words.older} className={styles.more} />
    </Card>
  )
}

interface EntriesProps {
  entries: readonly LedgerEntry[]
  kind: Kind | null
  onAll: () => void
}

function Entries({ entries, kind, onAll }: EntriesProps) {
  if (entries.length > 0)
    return <DataTable caption={words.ledgerCaption} columns={COLUMNS} rows={entries} rowKey={({ id }) => id} />
  if (kind !== null)
    return <Empty title={words.noEntryOfKind} action={<Button onClick={onAll}>{words.showAll}</Button>} />
  return <Empty title={words.noEntry}>{words.noEntryHint}</Empty>
}

const { ledgerColumns } = words
const COLUMNS: Column<LedgerEntry>[] = [
  { id: 'at', label: ledgerColumns.at, render: ({ createdAt }) => <Time at={createdAt} /> },
  { id: 'kind', label: ledgerColumns.kind, render: (entry) => <What entry={entry} /> },
  { id: 'day', label: ledgerColumns.day, render: ({ day }) => (day === null ? '–' : formatUtcDay(day)) },
  {
    id: 'amount',
    label: ledgerColumns.amount,
    align: 'end',
    render: ({ amountCents }) => (
      <span className={amountCents > 0 ? styles.credit : undefined}>
        {amountCents > 0 && '+'}
        <Money cents={amountCents} />
      </span>
    ),
  },
  {
    id: 'balance',
    label: ledgerColumns.balance,
    align: 'end',
    render: ({ balanceCents }) => <Money cents={balanceCents} />,
  },
]

function What({ entry: { kind, units, note } }: { entry: LedgerEntry }) {
  return (
    <span className={styles.what}>
      {words.kinds[kind]}
      {units !== null && <small>{words.units(kind, units)}</small>}
      {note !== null && (
        <small>
          <bdi>{note}</bdi>
        </small>
      )}
    </span>
  )
}
