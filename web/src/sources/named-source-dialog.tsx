import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../api/errors.ts'
import { createNamedSource, type NewNamedSource } from '../api/named-sources.ts'
import { reasonFor } from '../app/new-keyword/draft.ts'
import { RequestFailure } from '../app/request-failure.tsx'
import { NAMED_SOURCES_QUERY } from '../app/workspace-queries.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Field, NativeSelect, TextInput } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { showToast } from '../kit/toast.tsx'
import { namedWords as words } from './named-words.ts'
import styles from './sources.module.css'

const KINDS: readonly NewNamedSource['platform'][] = ['feeds', 'discourse']

/** Names a feed or forum, which the service looks up before it answers. */
export function NamedSourceDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const [draft, setDraft] = useState<NewNamedSource>({ platform: 'feeds', address: '' })
  const creation = useMutation({
    mutationFn: createNamedSource,
    onSuccess: ({ title, address }) => {
      showToast({ text: words.created(title ?? address), tone: 'positive' })
      onClose()
      return client.invalidateQueries({ queryKey: NAMED_SOURCES_QUERY.queryKey })
    },
  })
  const isReady = draft.address.trim().length > 3
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady && !creation.isPending) creation.mutate({ ...draft, address: draft.address.trim() })
  }
  const { error } = creation
  const errors = error instanceof ApiError ? error.fields : undefined
  return (
    <Dialog open onClose={onClose} title={words.add}>
      <Form onSubmit={submit} noValidate>
        <Field label={words.platform} error={reasonFor(errors, 'platform')}>
          <NativeSelect
            options={KINDS.map((kind) => ({ value: kind, label: words.kinds[kind] }))}
            value={draft.platform}
            onChange={(event) => setDraft({ ...draft, platform: event.target.value as NewNamedSource['platform'] })}
          />
        </Field>
        <Field label={words.address} hint={words.addressHint} error={reasonFor(errors, 'address')}>
          <TextInput
            type="url"
            inputMode="url"
            maxLength={1000}
            value={draft.address}
            onChange={(event) => setDraft({ ...draft, address: event.target.value })}
          />
        </Field>
        {error !== null && (errors?.size ?? 0) === 0 && <RequestFailure error={error} />}
        <div className={styles.line}>
          <Button type="submit" variant="primary" busy={creation.isPending} disabled={!isReady}>
            {words.create}
          </Button>
          <Button onClick={onClose}>{words.cancel}</Button>
        </div>
      </Form>
    </Dialog>
  )
}
