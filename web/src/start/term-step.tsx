import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '../api/errors.ts'
import { type CreatedKeyword, createKeyword } from '../api/keywords.ts'
import { searchPlatforms } from '../api/search.ts'
import { useDraft } from '../app/kept-drafts.ts'
import { SetUpFailure } from '../app/new-channel/set-up-failure.tsx'
import { KINDS } from '../app/new-keyword/kinds.ts'
import { Button } from '../kit/button.tsx'
import { Field, NativeSelect, TextInput } from '../kit/field.tsx'
import { FoundPosts } from './found-posts.tsx'
import styles from './start.module.css'
import { useVisit } from './visit.ts'
import { words } from './words.ts'

type Kind = CreatedKeyword['kind']

const TERM_MIN = 2

/** Looks for a term on all platforms before anything is created, then watches the term. */
export function TermStep() {
  const [term, setTerm] = useDraft('first term', '')
  const [searched, setSearched] = useState<string | null>(null)
  const search = useSearch(searched)
  const watch = useWatch()
  const typed = term.trim()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed.length >= TERM_MIN) setSearched(typed)
  }
  return (
    <div className={styles.stack}>
      <form className={styles.row} onSubmit={submit} noValidate>
        <TermField value={term} onChange={setTerm} errors={[watch.error, search.error]} />
        <Button type="submit" variant={searched === null ? 'primary' : 'plain'} busy={search.isFetching}>
          {words.search}
        </Button>
      </form>
      {search.isFetching && <p className={styles.quiet}>{words.searching}</p>}
      <SetUpFailure error={isOfField(search.error) ? null : search.error} onRetry={() => void search.refetch()} />
      <div aria-live="polite">{search.data && <FoundPosts term={searched ?? ''} answer={search.data} />}</div>
      <WatchForm term={typed} isSearched={searched !== null} watch={watch} />
      <SetUpFailure error={isOfField(watch.error) ? null : watch.error} />
    </div>
  )
}

function useSearch(query: string | null) {
  return useQuery({
    queryKey: ['search', query],
    queryFn: ({ signal }) => searchPlatforms({ query: query ?? '', limit: 50 }, signal),
    enabled: query !== null,
    retry: false,
  })
}

function useWatch() {
  const client = useQueryClient()
  const { change } = useVisit()
  return useMutation({
    mutationFn: (input: { term: string; kind: Kind }) =>
      createKeyword({ ...input, muted: false, platforms: null, context: null, cap: null }),
    onSuccess: async (keyword) => {
      await client.invalidateQueries({ queryKey: ['keywords'] })
      change({ keyword, reopened: null })
    },
  })
}

interface TermFieldProps {
  value: string
  onChange: (term: string) => void
  errors: readonly (Error | null)[]
}

function TermField({ value, onChange, errors }: TermFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (document.activeElement === document.body) input.current?.focus()
  }, [])
  const reason = errors.map(reasonOf).find((found) => found !== null)
  return (
    <div className={styles.grow}>
      <Field label={words.term} hint={words.termHint} error={reason}>
        <TextInput
          ref={input}
          dir="auto"
          maxLength={80}
          placeholder={words.termExample}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
    </div>
  )
}

function reasonOf(error: Error | null): string | null {
  if (!(error instanceof ApiError)) return null
  return error.fields.get('term') ?? error.fields.get('query') ?? null
}

function isOfField(error: Error | null): boolean {
  return reasonOf(error) !== null
}

interface WatchFormProps {
  term: string
  isSearched: boolean
  watch: ReturnType<typeof useWatch>
}

function WatchForm({ term, isSearched, watch }: WatchFormProps) {
  const [kind, setKind] = useState<Kind>('brand')
  return (
    <div className={styles.row}>
      <div className={styles.kind}>
        <Field label={words.kind}>
          <NativeSelect options={KINDS} value={kind} onChange={(event) => setKind(event.target.value as Kind)} />
        </Field>
      </div>
      <Button
        variant={isSearched ? 'primary' : 'plain'}
        disabled={term.length < TERM_MIN}
        busy={watch.isPending}
        className={styles.wide}
        onClick={() => watch.mutate({ term, kind })}
      >
        <bdi className={styles.cut}>{term === '' ? words.watchNothing : words.watch(term)}</bdi>
      </Button>
    </div>
  )
}
