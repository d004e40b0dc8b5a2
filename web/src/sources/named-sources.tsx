import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { deleteNamedSource, type NamedSource } from '../api/named-sources.ts'
import { DeleteDialog } from '../app/delete-dialog.tsx'
import { QueryPanel } from '../app/query-panel.tsx'
import { NAMED_SOURCES_QUERY } from '../app/workspace-queries.ts'
import { Badge } from '../kit/badge.tsx'
import { Button } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { type Column, DataTable } from '../kit/data-table.tsx'
import { Empty } from '../kit/empty.tsx'
import { Plus } from '../kit/icons.tsx'
import { Time } from '../kit/time.tsx'
import { showToast } from '../kit/toast.tsx'
import { NamedSourceDialog } from './named-source-dialog.tsx'
import { namedWords as words } from './named-words.ts'
import styles from './sources.module.css'

/** Reads happen in the background, and no stream tells of them. */
const REFETCH_MS = 30_000

/** The feeds and forums that the workspace named. */
export function NamedSources() {
  const sources = useQuery({ ...NAMED_SOURCES_QUERY, refetchInterval: REFETCH_MS })
  const [adding, setAdding] = useState(false)
  return (
    <section className={styles.stack} aria-labelledby="named">
      <div>
        <h2 id="named">{words.title}</h2>
        <p className={styles.hint}>{words.hint}</p>
      </div>
      <Card
        aside={
          <Button size="small" icon={<Plus />} onClick={() => setAdding(true)}>
            {words.add}
          </Button>
        }
      >
        <QueryPanel query={sources} lines={2} height={48}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty title={words.none}>{words.noneHint}</Empty>
            ) : (
              <DataTable caption={words.caption} columns={COLUMNS} rows={data} rowKey={({ id }) => id} />
            )
          }
        </QueryPanel>
      </Card>
      {adding && <NamedSourceDialog onClose={() => setAdding(false)} />}
    </section>
  )
}

const { columns } = words
const COLUMNS: Column<NamedSource>[] = [
  { id: 'name', label: columns.name, render: (source) => <Name source={source} /> },
  { id: 'platform', label: columns.platform, render: ({ platform }) => words.kinds[platform] },
  { id: 'state', label: columns.state, render: (source) => <State source={source} /> },
  {
    id: 'lastPost',
    label: columns.lastPost,
    render: ({ lastPostAt }) => (lastPostAt === null ? words.never : <Time at={lastPostAt} />),
  },
  { id: 'actions', label: columns.actions, align: 'end', render: (source) => <Removal source={source} /> },
]

function nameOf({ title, address }: NamedSource): string {
  return title ?? address
}

function Name({ source }: { source: NamedSource }) {
  return (
    <span className={styles.named}>
      <b>
        <bdi>{nameOf(source)}</bdi>
      </b>
      <a className={styles.small} href={source.address} target="_blank" rel="noopener noreferrer">
        {source.address}
      </a>
    </span>
  )
}

const TONES = { waiting: 'neutral', ready: 'positive', failing: 'negative' } as const

function State({ source: { status, lastError } }: { source: NamedSource }) {
  return (
    <span className={styles.named}>
      <Badge tone={TONES[status]}>{words.states[status]}</Badge>
      {lastError !== null && <small>{lastError}</small>}
    </span>
  )
}

function Removal({ source }: { source: NamedSource }) {
  const client = useQueryClient()
  const [open, setOpen] = useState(false)
  const name = nameOf(source)
  const deletion = useMutation({
    mutationFn: () => deleteNamedSource(source.id),
    onSuccess: () => {
      showToast({ text: words.removed(name) })
      setOpen(false)
      return client.invalidateQueries({ queryKey: NAMED_SOURCES_QUERY.queryKey })
    },
  })
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)} aria-label={`${words.remove}: ${name}`}>
        {words.remove}
      </Button>
      <DeleteDialog
        open={open}
        onClose={() => setOpen(false)}
        title={words.removeTitle(name)}
        text={words.removeText}
        label={words.remove}
        deletion={deletion}
      />
    </>
  )
}
