import { type FormEvent, useState } from 'react'
import { ApiError } from '../api/errors.ts'
import type { Group } from '../api/groups.ts'
import { reasonFor } from '../app/new-keyword/draft.ts'
import { RequestFailure } from '../app/request-failure.tsx'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Field, TextArea, TextInput } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import styles from './settings.module.css'
import { type GroupDraft, groupDraftOf, useGroupSave } from './use-groups.ts'
import { words } from './words.ts'

/** A new group, or one that is changed. */
export function GroupDialog({ group, onClose }: { group: Group | null; onClose: () => void }) {
  const [draft, setDraft] = useState(groupDraftOf(group))
  const saving = useGroupSave(group, onClose)
  const isReady = draft.name.trim() !== ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady && !saving.isPending) saving.mutate(draft)
  }
  return (
    <Dialog open onClose={onClose} title={group === null ? words.addGroup : words.editGroup}>
      <Form onSubmit={submit} noValidate>
        <GroupFields
          draft={draft}
          isDefault={group?.isDefault ?? false}
          error={saving.error}
          onChange={(part) => setDraft({ ...draft, ...part })}
        />
        <div className={styles.line}>
          <Button type="submit" variant="primary" busy={saving.isPending} disabled={!isReady}>
            {group === null ? words.createGroup : words.save}
          </Button>
          <Button onClick={onClose}>{words.cancel}</Button>
        </div>
      </Form>
    </Dialog>
  )
}

interface GroupFieldsProps {
  draft: GroupDraft
  isDefault: boolean
  error: Error | null
  onChange: (part: Partial<GroupDraft>) => void
}

function GroupFields({ draft, isDefault, error, onChange }: GroupFieldsProps) {
  const errors = error instanceof ApiError ? error.fields : undefined
  const isDuplicate = error instanceof ApiError && error.code === 'duplicate_group'
  return (
    <>
      <Field label={words.groupName} error={isDuplicate ? error.message : reasonFor(errors, 'name')}>
        <TextInput
          dir="auto"
          maxLength={80}
          value={draft.name}
          onChange={(event) => onChange({ name: event.target.value })}
        />
      </Field>
      {isDefault ? (
        <p className={styles.small}>{words.defaultContext}</p>
      ) : (
        <Field label={words.groupContext} hint={words.groupContextHint} error={reasonFor(errors, 'context')}>
          <TextArea
            dir="auto"
            rows={6}
            maxLength={4000}
            value={draft.context}
            onChange={(event) => onChange({ context: event.target.value })}
          />
        </Field>
      )}
      <Field label={words.externalId} hint={words.externalIdHint} error={reasonFor(errors, 'externalId')}>
        <TextInput
          maxLength={200}
          value={draft.externalId}
          onChange={(event) => onChange({ externalId: event.target.value })}
        />
      </Field>
      {error !== null && !isDuplicate && (errors?.size ?? 0) === 0 && <RequestFailure error={error} />}
    </>
  )
}
