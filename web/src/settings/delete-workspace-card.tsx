import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { deleteWorkspace, restoreWorkspace, type Workspace } from '../api/workspace.ts'
import { QueryPanel } from '../app/query-panel.tsx'
import { RequestFailure } from '../app/request-failure.tsx'
import { WORKSPACE_QUERY } from '../app/workspace-queries.ts'
import { Button } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { Field, TextInput } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { Notice } from '../kit/notice.tsx'
import { Time } from '../kit/time.tsx'
import styles from './settings.module.css'
import { words } from './words.ts'

/** For owners: schedules the deletion of the workspace, or cancels it. */
export function DeleteWorkspaceCard() {
  const workspace = useQuery(WORKSPACE_QUERY)
  return (
    <Card title={words.deleteWorkspace}>
      <QueryPanel query={workspace} lines={2} height={48}>
        {({ name, deletesAt }) =>
          deletesAt === null ? <Deletion name={name} /> : <ScheduledDeletion deletesAt={deletesAt} />
        }
      </QueryPanel>
    </Card>
  )
}

function useChange(change: (name: string) => Promise<Workspace>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async (workspace) => {
      client.setQueryData(WORKSPACE_QUERY.queryKey, workspace)
      await client.invalidateQueries()
    },
  })
}

function Deletion({ name }: { name: string }) {
  const [typed, setTyped] = useState('')
  const deletion = useChange(deleteWorkspace)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    deletion.mutate(typed)
  }
  return (
    <Form onSubmit={submit}>
      <p className={styles.hint}>{words.deletionHint}</p>
      <Field label={words.typeName(name)}>
        <TextInput
          value={typed}
          required
          autoComplete="off"
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </Field>
      <div className={styles.line}>
        <Button type="submit" variant="danger" disabled={typed.trim() !== name} busy={deletion.isPending}>
          {words.deleteWorkspace}
        </Button>
      </div>
      {deletion.error !== null && <RequestFailure error={deletion.error} />}
    </Form>
  )
}

function ScheduledDeletion({ deletesAt }: { deletesAt: string }) {
  const restore = useChange(restoreWorkspace)
  return (
    <>
      <Notice
        tone="warning"
        action={
          <Button busy={restore.isPending} onClick={() => restore.mutate('')}>
            {words.restoreWorkspace}
          </Button>
        }
      >
        {words.deletesAt} <Time at={deletesAt} format="exact" />. {words.untilThen}
      </Notice>
      {restore.error !== null && <RequestFailure error={restore.error} />}
    </>
  )
}
