import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { renameWorkspace } from '../api/workspace.ts'
import { RequestFailure } from '../app/request-failure.tsx'
import { openSession, useSession } from '../app/session.ts'
import { offerUndo } from '../app/undo.ts'
import { useMay } from '../app/use-may.ts'
import { Button } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { Field, TextInput } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import styles from './settings.module.css'
import { words } from './words.ts'

interface Renaming {
  from: string
  to: string
}

/** The session has the name that pages show. */
async function rename(name: string): Promise<void> {
  await renameWorkspace(name)
  await openSession()
}

/** The name of the workspace, which colleagues, invitations and the sign-in for apps show. */
export function WorkspaceCard() {
  const { name } = useSession().workspace
  const may = useMay()
  const [draft, setDraft] = useState(name)
  const renaming = useMutation({
    mutationFn: ({ to }: Renaming) => rename(to),
    onSuccess: (_, { from, to }) => offerUndo({ text: words.renamed(to), revert: () => rename(from) }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (draft.trim() !== name) renaming.mutate({ from: name, to: draft.trim() })
  }
  return (
    <Card title={words.workspace}>
      <Form onSubmit={submit}>
        <Field label={words.workspaceName} hint={may.manage ? undefined : words.whoRenames}>
          <TextInput
            value={draft}
            required
            disabled={!may.manage}
            onChange={(event) => setDraft(event.currentTarget.value)}
          />
        </Field>
        <div className={styles.line}>
          <Button type="submit" disabled={!may.manage} busy={renaming.isPending}>
            {words.save}
          </Button>
        </div>
        {renaming.error !== null && <RequestFailure error={renaming.error} />}
      </Form>
    </Card>
  )
}
