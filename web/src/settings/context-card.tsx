import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type Company, updateCompany } from '../api/company.ts'
import { DeleteDialog } from '../app/delete-dialog.tsx'
import { RequestFailure } from '../app/request-failure.tsx'
import { Button } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { Field, TextArea } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { showToast } from '../kit/toast.tsx'
import styles from './settings.module.css'
import { words } from './words.ts'

interface ContextCardProps {
  company: Company
  queryKey: readonly string[]
}

/** Most characters of a text that somebody writes; a composed one may be longer. */
const CONTEXT_MAX = 4000

/** Null composes the text from the profile again. An undo could not tell a composed text from a written one. */
function useContextChange({ company, queryKey }: ContextCardProps, onSaved: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (context: string | null) => updateCompany({ context, ifVersion: company.version }),
    onSuccess: (saved, context) => {
      client.setQueryData(queryKey, saved)
      showToast({ text: context === null ? words.composed : words.contextSaved })
      onSaved()
    },
  })
}

/** The text that the classifier reads, and how a person replaces it. */
export function ContextCard(props: ContextCardProps) {
  const { context } = props.company
  const [text, setText] = useState<string | null>(null)
  return (
    <Card title={words.context}>
      {text === null ? (
        <Shown {...props} onWrite={() => setText(context.slice(0, CONTEXT_MAX))} />
      ) : (
        <OwnContext {...props} text={text} onType={setText} />
      )}
    </Card>
  )
}

interface OwnContextProps extends ContextCardProps {
  text: string
  /** Null ends the writing. */
  onType: (text: string | null) => void
}

function OwnContext({ text, onType, ...props }: OwnContextProps) {
  const saving = useContextChange(props, () => onType(null))
  const typed = text.trim()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed !== '' && !saving.isPending) saving.mutate(typed)
  }
  return (
    <Form onSubmit={submit} noValidate>
      <Field label={words.ownContext} hint={words.ownContextHint}>
        <TextArea
          dir="auto"
          rows={10}
          maxLength={CONTEXT_MAX}
          value={text}
          onChange={(event) => onType(event.target.value)}
        />
      </Field>
      {saving.error !== null && <RequestFailure error={saving.error} />}
      <div className={styles.line}>
        <Button type="submit" variant="primary" busy={saving.isPending} disabled={typed === ''}>
          {words.keepContext}
        </Button>
        <Button onClick={() => onType(null)}>{words.cancel}</Button>
      </div>
    </Form>
  )
}

function Shown({ onWrite, ...props }: ContextCardProps & { onWrite: () => void }) {
  const { context } = props.company
  const [asking, setAsking] = useState(false)
  const close = () => setAsking(false)
  const composing = useContextChange(props, close)
  return (
    <div className={styles.stack}>
      <p className={styles.small}>{words.contextHint}</p>
      <p className={styles.context} dir="auto">
        {context === '' ? words.noContext : context}
      </p>
      <div className={styles.line}>
        <Button onClick={onWrite}>{words.writeContext}</Button>
        {context !== '' && (
          <Button variant="quiet" onClick={() => setAsking(true)}>
            {words.compose}
          </Button>
        )}
      </div>
      <DeleteDialog
        open={asking}
        onClose={close}
        title={words.composeTitle}
        text={words.composeText}
        label={words.compose}
        deletion={{ ...composing, mutate: () => composing.mutate(null) }}
      />
    </div>
  )
}
