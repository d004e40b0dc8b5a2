import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Mention } from '../api/mentions.ts'
import { updatePerson } from '../api/people.ts'
import { authorName } from '../app/post/author-name.ts'
import { RequestFailure } from '../app/request-failure.tsx'
import { offerUndo } from '../app/undo.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { TagInput } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { showToast } from '../kit/toast.tsx'
import { words } from './words.ts'

/** Mutes the author: their mentions leave lists and are not sent. */
export async function mutePerson(client: QueryClient, mention: Mention | null): Promise<void> {
  const person = personOf(mention)
  if (person === null) return void showToast({ text: words.lessNoAuthor })
  const set = async (muted: boolean) => {
    await updatePerson(person.id, { muted })
    await client.invalidateQueries({ queryKey: ['mentions'] })
  }
  try {
    await set(true)
    offerUndo({ text: words.personMuted(person.name), revert: () => set(false) })
  } catch (error) {
    showToast({ text: words.notSaved((error as Error).message), tone: 'negative' })
  }
}

export function TagDialog({ mention, onClose }: { mention: Mention; onClose: () => void }) {
  const person = personOf(mention)
  const [tags, setTags] = useState<readonly string[]>(person?.tags ?? [])
  const [error, setError] = useState<Error | null>(null)
  const client = useQueryClient()
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (person === null) return
    const set = async (next: readonly string[]) => {
      await updatePerson(person.id, { tags: [...next] })
      await client.invalidateQueries({ queryKey: ['mentions'] })
    }
    try {
      await set(tags)
      offerUndo({ text: words.personTagged, revert: () => set(person.tags) })
      onClose()
    } catch (failure) {
      setError(failure as Error)
    }
  }
  return (
    <Dialog open onClose={onClose} title={words.tagPerson}>
      <Form onSubmit={(event) => void save(event)}>
        {person === null ? (
          <p>{words.lessNoAuthor}</p>
        ) : (
          <TagInput label={words.tagLabel} values={tags} onChange={setTags} />
        )}
        {error !== null && <RequestFailure error={error} />}
        <Button type="submit" variant="primary" disabled={person === null}>
          {words.save}
        </Button>
      </Form>
    </Dialog>
  )
}

function personOf(mention: Mention | null): { id: string; name: string; tags: readonly string[] } | null {
  const author = mention?.author ?? null
  if (author === null || author.personId === null) return null
  return { id: author.personId, name: authorName(author), tags: author.tags }
}
