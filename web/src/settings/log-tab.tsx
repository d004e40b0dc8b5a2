import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useLocation, useSearchParams } from 'wouter'
import { type AuditEntry, listAudit } from '../api/audit.ts'
import { NextPage } from '../app/next-page.tsx'
import { QueryPanel } from '../app/query-panel.tsx'
import { useMay } from '../app/use-may.ts'
import { Card } from '../kit/card.tsx'
import { type Column, DataTable } from '../kit/data-table.tsx'
import { Empty } from '../kit/empty.tsx'
import { NativeSelect } from '../kit/field.tsx'
import { Time } from '../kit/time.tsx'
import { logWords as words } from './log-words.ts'
import styles from './settings.module.css'

type Kind = AuditEntry['kind']
const KINDS = Object.keys(words.kinds) as Kind[]
const PAGE = 50

/** The security log of the workspace. */
export function LogTab() {
  return useMay().own ? <Log /> : <Empty title={words.whoSees} />
}

function Log() {
  const [params] = useSearchParams()
  const [, navigate] = useLocation()
  const kind = KINDS.find((name) => name === params.get('kind')) ?? null
  const log = useInfiniteQuery({
    queryKey: ['audit', kind],
    queryFn: ({ pageParam: cursor, signal }) =>
      listAudit({ limit: PAGE, ...(kind && { kind: [kind] }), ...(cursor === null ? {} : { cursor }) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  })
  return (
    <div className={styles.stack}>
      <p className={styles.hint}>{words.hint}</p>
      <Card
        aside={
          <KindChoice
            kind={kind}
            onChoose={(chosen) =>
              navigate(chosen === '' ? '/settings/log' : `/settings/log?kind=${chosen}`, { replace: true })
            }
          />
        }
      >
        <QueryPanel query={log} lines={8} height={40}>
          {({ pages }) => <Entries entries={pages.flatMap(({ data }) => data)} />}
        </QueryPanel>
        <NextPage list={log} label={words.older} className={styles.line} />
      </Card>
    </div>
  )
}

function KindChoice({ kind, onChoose }: { kind: Kind | null; onChoose: (kind: string) => void }) {
  const options = KINDS.map((value) => ({ value, label: words.kinds[value] }))
  return (
    <NativeSelect
      aria-label={words.kind}
      options={[{ value: '', label: words.allKinds }, ...options]}
      value={kind ?? ''}
      onChange={(event) => onChoose(event.target.value)}
    />
  )
}

function Entries({ entries }: { entries: readonly AuditEntry[] }) {
  if (entries.length === 0) return <Empty title={words.none} />
  return <DataTable caption={words.caption} columns={COLUMNS} rows={entries} rowKey={({ id }) => id} />
}

const { columns } = words
const COLUMNS: Column<AuditEntry>[] = [
  { id: 'at', label: columns.at, render: ({ at }) => <Time at={at} /> },
  { id: 'what', label: columns.what, render: ({ kind }) => words.kinds[kind] },
  { id: 'who', label: columns.who, render: ({ actor }) => <bdi>{words.actorOf(actor)}</bdi> },
  { id: 'on', label: columns.on, render: ({ target }) => <bdi>{target?.name ?? target?.id ?? ''}</bdi> },
  { id: 'address', label: columns.address, render: ({ address }) => address ?? '', hideOnPhone: true },
]
