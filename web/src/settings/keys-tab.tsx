import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiKey, listApiKeys, revokeApiKey } from '../api/api-keys.ts'
import { DeleteDialog } from '../app/delete-dialog.tsx'
import { QueryPanel } from '../app/query-panel.tsx'
import { useMay } from '../app/use-may.ts'
import { Button } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { type Column, DataTable } from '../kit/data-table.tsx'
import { Empty } from '../kit/empty.tsx'
import { formatUtcDay, Time } from '../kit/time.tsx'
import { showToast } from '../kit/toast.tsx'
import { VisuallyHidden } from '../kit/visually-hidden.tsx'
import { NewKeyCard } from './new-key-card.tsx'
import styles from './settings.module.css'
import { words } from './words.ts'

/** Keys of programs. Their secrets are shown once. */
export function KeysTab() {
  return useMay().manage ? <Keys /> : <Empty title={words.tabs['api-keys']}>{words.whoSeesKeys}</Empty>
}

function Keys() {
  const keys = useQuery({ queryKey: ['api-keys'], queryFn: ({ signal }) => listApiKeys(signal) })
  return (
    <div className={styles.stack}>
      <p className={styles.hint}>{words.keysHint}</p>
      <div className={styles.columns}>
        <Card>
          <QueryPanel query={keys} lines={4} height={48}>
            {({ data }) =>
              data.length === 0 ? (
                <Empty title={words.noKeys}>{words.noKeysHint}</Empty>
              ) : (
                <DataTable caption={words.keysCaption} columns={COLUMNS} rows={data} rowKey={({ id }) => id} />
              )
            }
          </QueryPanel>
        </Card>
        <NewKeyCard />
      </div>
    </div>
  )
}

const { keyColumns: columns } = words
const COLUMNS: Column<ApiKey>[] = [
  { id: 'name', label: columns.name, render: (key) => <Name apiKey={key} /> },
  { id: 'scope', label: columns.scope, render: ({ scope }) => words.scopes[scope] },
  {
    id: 'used',
    label: columns.used,
    render: ({ lastUsedAt }) => (lastUsedAt === null ? words.never : <Time at={lastUsedAt} />),
  },
  {
    id: 'expires',
    label: columns.expires,
    render: ({ expiresAt }) => (expiresAt === null ? words.never : formatUtcDay(expiresAt)),
  },
  { id: 'actions', label: columns.actions, align: 'end', render: (key) => <Revoke apiKey={key} /> },
]

function Name({ apiKey: { name, prefix, createdAt } }: { apiKey: ApiKey }) {
  return (
    <span className={styles.name}>
      <b>
        <bdi>{name}</bdi>
      </b>
      <small>
        <code>{prefix}…</code> · {columns.created} {formatUtcDay(createdAt)}
      </small>
    </span>
  )
}

function Revoke({ apiKey: { id, name } }: { apiKey: ApiKey }) {
  const may = useMay()
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const close = () => setAsking(false)
  const revocation = useMutation({
    mutationFn: () => revokeApiKey(id),
    onSuccess: () => {
      showToast({ text: words.revoked(name) })
      close()
      return client.invalidateQueries({ queryKey: ['api-keys'] })
    },
  })
  return (
    <>
      <Button
        size="small"
        disabled={!may.own}
        title={may.own ? undefined : words.whoOwns}
        onClick={() => setAsking(true)}
      >
        {words.revoke}
        <VisuallyHidden> {name}</VisuallyHidden>
      </Button>
      <DeleteDialog
        open={asking}
        onClose={close}
        title={words.revokeTitle(name)}
        text={words.revokeText}
        label={words.revokeKey}
        deletion={revocation}
      />
    </>
  )
}
