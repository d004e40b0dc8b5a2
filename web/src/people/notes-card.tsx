import { type FormEvent, useRef } from 'react'
import type { Person } from '../api/people.ts'
import { useDraft } from '../app/kept-drafts.ts'
import { keyOf } from '../app/key-table.ts'
import { useKeys } from '../app/keys.ts'
import { authorName } from '../app/post/author-name.ts'
import { RequestFailure } from '../app/request-failure.tsx'
import { Button } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { Field, TagInput, TextArea } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { Kbd } from '../kit/kbd.tsx'
import { usePersonChange } from './use-people.ts'
import { words } from './words.ts'

/** Characters, as the API allows. */
const NOTES_LIMIT = 4000

/** What the team noted of a person. */
export function NotesCard({ person }: { person: Person }) {
  const { tags: formerTags, notes: formerNotes } = person.annotations
  const [tags, setTags] = useDraft<readonly string[]>(`tags ${person.id}`, formerTags)
  const [notes, setNotes] = useDraft(`notes ${person.id}`, formerNotes)
  const change = usePersonChange(person)
  const box = useRef<HTMLDivElement>(null)
  useKeys({ tag: () => box.current?.querySelector('input')?.focus() })
  const isChanged = notes !== formerNotes || tags.join() !== formerTags.join()
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (change.isPending || !isChanged) return
    change.mutate({ change: { tags: [...tags], notes }, text: words.saved(authorName(person)) })
  }
  return (
    <Card title={words.notes} aside={<Kbd keys={keyOf('tag')} />}>
      <Form onSubmit={save}>
        <div ref={box}>
          <Field label={words.tagsLabel} hint={words.tagsHint}>
            <TagInput label={words.tagsLabel} values={tags} onChange={setTags} />
          </Field>
        </div>
        <Field label={words.notesLabel}>
          <TextArea
            rows={4}
            dir="auto"
            maxLength={NOTES_LIMIT}
            value={notes}
            onChange={(event) => setNotes(event.currentTarget.value)}
          />
        </Field>
        {change.error !== null && <RequestFailure error={change.error} />}
        <Button type="submit" variant="primary" busy={change.isPending} disabled={!isChanged}>
          {words.save}
        </Button>
      </Form>
    </Card>
  )
}
