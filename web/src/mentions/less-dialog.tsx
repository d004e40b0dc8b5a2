import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useDeferredValue, useState } from 'react'
import { getKeyword, type Keyword, updateKeyword } from '../api/keywords.ts'
import { countMentions, type Mention } from '../api/mentions.ts'
import { RequestFailure } from '../app/request-failure.tsx'
import { offerUndo } from '../app/undo.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Field, RadioCards, TextInput } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { words } from './words.ts'

type What = 'author' | 'word'
const DAYS = 30
const DAY_MS = 24 * 60 * 60 * 1000

/** Excludes the author or a word from the keyword, and says first what that would have kept out. */
export function LessDialog({ mention, onClose }: { mention: Mention; onClose: () => void }) {
  const author = mention.author?.handle ?? mention.author?.name ?? null
  const [what, setWhat] = useState<What>(author === null ? 'word' : 'author')
  const [word, setWord] = useState('')
  const client = useQueryClient()
  const keyword = useQuery({
    queryKey: ['keyword', mention.keyword.id],
    queryFn: ({ signal }) => getKeyword(mention.keyword.id, signal),
  })
  const [error, setError] = useState<Error | null>(null)
  const excluded = what === 'author' ? author : word.trim()
  const apply = async (event: FormEvent) => {
    event.preventDefault()
    if (!excluded || keyword.data === undefined) return
    try {
      await exclude(keyword.data, what, excluded)
      void client.invalidateQueries({ queryKey: ['keyword', mention.keyword.id] })
      onClose()
    } catch (failure) {
      setError(failure as Error)
    }
  }
  const options = [
    ...(author === null ? [] : [{ value: 'author' as const, label: words.lessAuthor(author) }]),
    { value: 'word' as const, label: words.lessWord },
  ]
  return (
    <Dialog open onClose={onClose} title={words.lessTitle}>
      <Form onSubmit={(event) => void apply(event)}>
        <p>{words.lessHint}</p>
        <RadioCards legend={words.lessWhat} options={options} value={what} onChange={setWhat} />
        {what === 'word' && (
          <Field label={words.lessWordLabel}>
            <TextInput value={word} maxLength={80} onChange={(event) => setWord(event.currentTarget.value)} />
          </Field>
        )}
        {excluded && <Effect mention={mention} what={what} excluded={excluded} />}
        {(error ?? keyword.error) && <RequestFailure error={(error ?? keyword.error)!} />}
        <Button type="submit" variant="primary" disabled={!excluded || keyword.data === undefined}>
          {words.lessApply}
        </Button>
      </Form>
    </Dialog>
  )
}

/** The mentions of the last 30 days that hold the word or are by the author. */
function Effect({ mention, what, excluded }: { mention: Mention; what: What; excluded: string }) {
  const wanted = useDeferredValue(excluded)
  const personId = mention.author?.personId ?? null
  const [since] = useState(() => new Date(Date.now() - DAYS * DAY_MS).toISOString())
  const narrowed = what === 'word' ? { q: `"${wanted.replaceAll('"', '')}"` } : { personId: personId ?? '' }
  const base = { keywordIds: [mention.keyword.id], since, ...narrowed }
  const { data } = useQuery({
    queryKey: ['mentions', 'count', 'less', base],
    queryFn: async ({ signal }) => {
      const [total, relevant] = await Promise.all([
        countMentions(base, signal),
        countMentions({ ...base, relevant: true }, signal),
      ])
      return { total: total.total, relevant: relevant.total }
    },
    enabled: what === 'word' || personId !== null,
  })
  return <p aria-live="polite">{data && words.lessEffect(data.total, data.relevant)}</p>
}

async function exclude({ id, term, matching }: Keyword, what: What, excluded: string): Promise<void> {
  const field = what === 'author' ? 'excludedAuthors' : 'excludedTerms'
  const before = matching[field]
  await updateKeyword(id, { matching: { [field]: [...new Set([...before, excluded])] } })
  offerUndo({
    text: words.lessDone(excluded, term),
    revert: () => updateKeyword(id, { matching: { [field]: before } }),
  })
}
