import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { listSuppressions, removeSuppression, type Suppression } from '../api/suppressions.ts'
import { DeleteDialog } from '../app/delete-dialog.tsx'
import { NextPage } from '../app/next-page.tsx'
import { QueryPanel } from '../app/query-panel.tsx'
import { useMay } from '../app/use-may.ts'
import { Button } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { type Column, DataTable } from '../kit/data-table.tsx'
import { Empty } from '../kit/empty.tsx'
import { Time } from '../kit/time.tsx'
import { showToast } from '../kit/toast.tsx'
import { VisuallyHidden } from '../kit/visually-hidden.tsx'
import styles from './settings.module.css'
import { suppressionWords as words } from './suppression-words.ts'

const PAGE = 50

/** Recipients that channels do not write to. */
export function SuppressionsTab() {
  const list = useInfiniteQuery({
    queryKey: ['suppressions'],
    queryFn: ({ pageParam: cursor, signal }) =>
      listSuppressions({ limit: PAGE, ...(cursor !== null && { cursor }) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
  return (
    <div className={styles.stack}>
      <p className={styles.hint}>{words.hint}</p>
      <Card>
        <QueryPanel query={list} lines={4} height={48}>
          {({ pages }) => <Recipients suppressions={pages.flatMap(({ data }) => data)} />}
        </QueryPanel>
        <NextPage list={list} label={words.older} className={styles.line} />
      </Card>
    </div>
  )
}

function Recipients({ suppressions }: { suppressions: readonly Suppression[] }) {
  if (suppressions.length === 0) return <Empty title={words.none}>{words.noneHint}</Empty>
  return <DataTable caption={words.caption} columns={COLUMNS} rows={suppressions} rowKey={({ id }) => id} />
}

const { columns } = words
const COLUMNS: Column<Suppression>[] = [
  { id: 'email', label: columns.email, render: ({ email }) => <bdi>{email}</bdi> },
  { id: 'reason', label: columns.reason, render: ({ reason }) => words.reasons[reason] },
  { id: 'since', label: columns.since, render: ({ createdAt }) => <Time at={createdAt} /> },
  {
    id: 'actions',
    label: columns.actions,
    align: 'end',
    render: (suppression) =>
      suppression.reason === 'complaint' ? (
        <small className={styles.hint}>{words.onlyOperator}</small>
      ) : (
        <Allow suppression={suppression} />
      ),
  },
]

function Allow({ suppression: { id, email } }: { suppression: Suppression }) {
  const { manage } = useMay()
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const close = () => setAsking(false)
  const allowing = useMutation({
    mutationFn: () => removeSuppression(id),
    onSuccess: () => {
      showToast({ text: words.allowed(email) })
      close()
      return client.invalidateQueries({ queryKey: ['suppressions'] })
    },
  })
  return (
    <>
      <Button
        size="small"
        disabled={!manage}
        title={manage ? undefined : words.whoAllows}
        onClick={() => setAsking(true)}
      >
        {words.allow}
        <VisuallyHidden> {email}</VisuallyHidden>
      </Button>
      <DeleteDialog
        open={asking}
        onClose={close}
        title={words.allowTitle(email)}
        text={words.allowText}
        label={words.allow}
        variant="primary"
        deletion={allowing}
      />
    </>
  )
}
