import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { ApiError } from '../../api/errors.ts'
import { type CreatedKeyword, createKeyword } from '../../api/keywords.ts'
import { Button } from '../../kit/button.tsx'
import { Field, RadioCards, TextArea, TextInput } from '../../kit/field.tsx'
import { Form } from '../../kit/form.tsx'
import { useDraft } from '../kept-drafts.ts'
import { RequestFailure } from '../request-failure.tsx'
import { CONTEXT_MAX, type KeywordDraft, reasonFor } from './draft.ts'
import { KINDS } from './kinds.ts'
import { MatchingFields } from './matching-fields.tsx'
import styles from './new-keyword.module.css'
import { PlatformChoice } from './platform-choice.tsx'
import { words } from './words.ts'

interface NewKeywordFormProps {
  initial: KeywordDraft
  /** Where the term stands elsewhere on the page. */
  hidesTerm?: boolean | undefined
  onCreated: (keyword: CreatedKeyword) => void
  onCancel: () => void
}

export function NewKeywordForm({ initial, hidesTerm = false, onCreated, onCancel }: NewKeywordFormProps) {
  const [draft, setDraft] = useDraft(`new keyword ${initial.term}`, initial)
  const change = (part: Partial<KeywordDraft>) => setDraft((former) => ({ ...former, ...part }))
  const creation = useCreation(onCreated)
  const errors = creation.error instanceof ApiError ? creation.error.fields : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!creation.isPending) creation.mutate(draft)
  }
  return (
    <Form onSubmit={submit} noValidate>
      {!hidesTerm && (
        <Field label={words.term} hint={words.termHint} error={reasonFor(errors, 'term')}>
          <TextInput value={draft.term} onChange={(event) => change({ term: event.target.value })} dir="auto" />
        </Field>
      )}
      <RadioCards legend={words.kind} options={KINDS} value={draft.kind} onChange={(kind) => change({ kind })} />
      <ContextField value={draft.context} onChange={(context) => change({ context })} errors={errors} />
      <PlatformChoice value={draft.platforms} onChange={(platforms) => change({ platforms })} />
      <details className={styles.rules}>
        <summary>{words.matchingRules}</summary>
        <div className={styles.stack}>
          <MatchingFields value={draft.matching} onChange={(matching) => change({ matching })} errors={errors} />
        </div>
      </details>
      {creation.error !== null && <RequestFailure error={creation.error} />}
      <div className={styles.actions}>
        <Button type="submit" variant="primary" busy={creation.isPending}>
          {words.create}
        </Button>
        <Button onClick={onCancel}>{words.cancel}</Button>
      </div>
    </Form>
  )
}

interface ContextFieldProps {
  value: string
  onChange: (context: string) => void
  errors: ReadonlyMap<string, string> | undefined
}

export function ContextField({ value, onChange, errors }: ContextFieldProps) {
  return (
    <Field
      label={words.context}
      hint={words.contextHint(CONTEXT_MAX - value.length)}
      error={reasonFor(errors, 'context')}
    >
      <TextArea
        dir="auto"
        rows={2}
        maxLength={CONTEXT_MAX}
        placeholder={words.contextExample}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}

function useCreation(onCreated: (keyword: CreatedKeyword) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ term, kind, context, platforms, matching }: KeywordDraft) =>
      createKeyword({ term, kind, context, platforms, matching, muted: false, cap: null }),
    onSuccess: (created) => {
      void client.invalidateQueries({ queryKey: ['keywords'] })
      onCreated(created)
    },
  })
}
