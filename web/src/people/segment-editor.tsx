import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { ApiError } from '../api/errors.ts'
import type { PeopleFilter, Segment, SegmentChange } from '../api/segments.ts'
import { QueryPanel } from '../app/query-panel.tsx'
import { RequestFailure } from '../app/request-failure.tsx'
import { Button } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { Empty } from '../kit/empty.tsx'
import { Field, TextArea, TextInput } from '../kit/field.tsx'
import { Notice } from '../kit/notice.tsx'
import { FilterFields } from './filter-fields.tsx'
import styles from './people.module.css'
import { listHref, withCondition } from './people-query.ts'
import { PeopleTable } from './people-table.tsx'
import { usePeople } from './use-people.ts'
import { useCreation, useSegmentChange } from './use-segments.ts'
import { words } from './words.ts'

export interface SegmentDraft {
  name: string
  description: string
  filter: PeopleFilter
}

interface SegmentEditorProps {
  /** Null for a segment that does not exist yet. */
  segment: Segment | null
  former: SegmentDraft
}

/** A segment's name and conditions, and beside them who matches now. */
export function SegmentEditor({ segment, former }: SegmentEditorProps) {
  const [draft, setDraft] = useState(former)
  const change = (part: Partial<SegmentDraft>) => setDraft((typed) => ({ ...typed, ...part }))
  const form = { draft, former, change, onDiscard: () => setDraft(former) }
  return (
    <div className={styles.columns}>
      {segment === null ? <NewForm {...form} /> : <ChangeForm {...form} segment={segment} />}
      <Members filter={draft.filter} />
    </div>
  )
}

interface FormProps {
  draft: SegmentDraft
  former: SegmentDraft
  change: (part: Partial<SegmentDraft>) => void
  onDiscard: () => void
}

function NewForm({ draft, change }: FormProps) {
  const [, navigate] = useLocation()
  const creation = useCreation(({ id }) => navigate(`/segments/${id}`, { replace: true }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (creation.isPending) return
    creation.mutate({ name: draft.name.trim(), description: draft.description.trim(), filter: draft.filter })
  }
  return (
    <form className={styles.stack} onSubmit={submit} noValidate>
      <Fields draft={draft} change={change} error={creation.error} />
      {creation.error !== null && !isTaken(creation.error) && <RequestFailure error={creation.error} />}
      <div className={styles.line}>
        <Button type="submit" variant="primary" busy={creation.isPending} disabled={draft.name.trim() === ''}>
          {words.create}
        </Button>
      </div>
    </form>
  )
}

function ChangeForm({ segment, draft, former, change, onDiscard }: FormProps & { segment: Segment }) {
  const saving = useSegmentChange(segment)
  const client = useQueryClient()
  const changed = changeBetween(former, draft)
  const isChanged = Object.keys(changed).length > 0
  const isStale = saving.error instanceof ApiError && saving.error.code === 'stale_version'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!saving.isPending && isChanged) saving.mutate({ ...changed, ifVersion: segment.version })
  }
  return (
    <form className={styles.stack} onSubmit={submit} noValidate>
      <Fields draft={draft} change={change} error={saving.error} />
      {isStale && (
        <Notice tone="warning" action={<Button onClick={() => saving.mutate(changed)}>{words.overwrite}</Button>}>
          {words.stale}
        </Notice>
      )}
      {saving.error !== null && !isStale && !isTaken(saving.error) && <RequestFailure error={saving.error} />}
      <div className={styles.line}>
        <Button
          type="submit"
          variant="primary"
          busy={saving.isPending}
          disabled={!isChanged || draft.name.trim() === ''}
        >
          {words.saveChanges}
        </Button>
        {isChanged && <Button onClick={onDiscard}>{words.discard}</Button>}
        {isStale && (
          <Button onClick={() => void client.invalidateQueries({ queryKey: ['segments', segment.id] })}>
            {words.reload}
          </Button>
        )}
      </div>
    </form>
  )
}

function changeBetween(former: SegmentDraft, draft: SegmentDraft): SegmentChange {
  const change: SegmentChange = {}
  if (draft.name.trim() !== former.name) change.name = draft.name.trim()
  if (draft.description.trim() !== former.description) change.description = draft.description.trim()
  if (JSON.stringify(draft.filter) !== JSON.stringify(former.filter)) change.filter = draft.filter
  return change
}

/** Whether another segment has the name, which is said at its field. */
function isTaken(error: Error | null): boolean {
  return error instanceof ApiError && error.code === 'duplicate_segment'
}

interface FieldsProps extends Pick<FormProps, 'draft' | 'change'> {
  error: Error | null
}

/** Characters, as the API allows. */
const LIMITS = { name: 80, description: 500 }

function Fields({ draft: { name, description, filter }, change, error }: FieldsProps) {
  const wrong = error instanceof ApiError ? error.fields : new Map<string, string>()
  const taken = isTaken(error) ? error?.message : undefined
  return (
    <>
      <Card title={words.segment}>
        <div className={styles.stack}>
          <Field label={words.name} error={taken ?? wrong.get('name')}>
            <TextInput value={name} maxLength={LIMITS.name} onChange={({ target }) => change({ name: target.value })} />
          </Field>
          <Field label={words.description} hint={words.descriptionHint} error={wrong.get('description')}>
            <TextArea
              rows={2}
              value={description}
              maxLength={LIMITS.description}
              onChange={({ target }) => change({ description: target.value })}
            />
          </Field>
        </div>
      </Card>
      <Card title={words.conditions}>
        <div className={styles.stack}>
          <Field label={words.fields.q} hint={words.qHint}>
            <TextInput
              type="search"
              maxLength={200}
              value={filter.q ?? ''}
              onChange={({ target }) => change({ filter: withCondition(filter, 'q', target.value) })}
            />
          </Field>
          <FilterFields filter={filter} onChange={(next) => change({ filter: next })} />
        </div>
      </Card>
    </>
  )
}

const SHOWN = 20

function Members({ filter }: { filter: PeopleFilter }) {
  const people = usePeople({ ...filter, limit: SHOWN })
  const all = listHref({ filter, segmentId: null, sort: 'mentions', offset: 0 })
  return (
    <Card title={words.members} aside={<Link href={all}>{words.openMembers}</Link>}>
      <div className={styles.list} data-stale={people.isPlaceholderData || undefined}>
        <QueryPanel query={people} lines={6} height={44}>
          {({ data, total }) => (
            <>
              <p role="status">
                <b>{words.total(total)}</b>
              </p>
              <small>{words.membersNote}</small>
              {data.length === 0 ? <Empty quiet title={words.noMatch} /> : <PeopleTable people={data} query={null} />}
            </>
          )}
        </QueryPanel>
      </div>
    </Card>
  )
}
