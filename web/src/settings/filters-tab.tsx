import { useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { type Filters, type FiltersChange, getFilters, updateFilters } from '../api/filters.ts'
import { useDraft } from '../app/kept-drafts.ts'
import { reasonFor } from '../app/new-keyword/draft.ts'
import { QueryPanel } from '../app/query-panel.tsx'
import { RequestFailure } from '../app/request-failure.tsx'
import { StaleNotice } from '../app/stale-notice.tsx'
import { Card } from '../kit/card.tsx'
import { Field, TagInput } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { differencesOf } from './differences.ts'
import { SaveLine } from './save-line.tsx'
import styles from './settings.module.css'
import { changeBetween, useVersionedSave } from './use-versioned.ts'
import { Versions } from './versions.tsx'
import { words } from './words.ts'

const FILTERS_KEY = ['filters']

type FilterDraft = Pick<Filters, 'excludedTerms' | 'excludedAuthors' | 'excludedRepos' | 'subreddits'>

function draftOf({ excludedTerms, excludedAuthors, excludedRepos, subreddits }: Filters): FilterDraft {
  return { excludedTerms, excludedAuthors, excludedRepos, subreddits }
}

/** What no keyword of the workspace collects. */
export function FiltersTab() {
  const filters = useQuery({ queryKey: FILTERS_KEY, queryFn: ({ signal }) => getFilters(signal) })
  return (
    <div className={styles.stack}>
      <p className={styles.hint}>{words.filtersHint}</p>
      <QueryPanel query={filters} lines={5} height={64}>
        {(data) => <FilterForm key={data.version} filters={data} />}
      </QueryPanel>
    </div>
  )
}

const { excludedTerms, excludedAuthors, excludedRepos, onlySubreddits, excludedSubreddits } = words
const LABELS = { excludedTerms, excludedAuthors, excludedRepos, onlySubreddits, excludedSubreddits }

function listsOf({ subreddits, ...lists }: FilterDraft) {
  return { ...lists, onlySubreddits: subreddits.only, excludedSubreddits: subreddits.excluded }
}

function FilterForm({ filters }: { filters: Filters }) {
  const former = draftOf(filters)
  const [draft, setDraft] = useDraft<FilterDraft>('filters', former)
  const { saving, isStale, present, errors, load } = useVersionedSave<Filters, FiltersChange>({
    ...{ queryKey: FILTERS_KEY, former: filters, read: getFilters, update: updateFilters },
    text: words.filtersSaved,
  })
  const change = changeBetween(former, draft)
  const isChanged = Object.keys(change).length > 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isChanged && !saving.isPending) saving.mutate({ change })
  }
  return (
    <Form onSubmit={submit} noValidate>
      <div className={styles.columns}>
        <ExcludedCard draft={draft} errors={errors} onChange={(part) => setDraft({ ...draft, ...part })} />
        <SubredditCard draft={draft} errors={errors} onChange={(part) => setDraft({ ...draft, ...part })} />
      </div>
      {isStale && (
        <StaleNotice
          loadLabel={words.loadFilters}
          onLoad={() => {
            setDraft(former)
            void load()
          }}
          onSave={() => saving.mutate({ change, anyway: true })}
          versions={
            present && (
              <Versions
                differences={differencesOf(LABELS, {
                  former: listsOf(former),
                  mine: listsOf(draft),
                  theirs: listsOf(present),
                })}
              />
            )
          }
        >
          {words.filtersStale}
        </StaleNotice>
      )}
      {saving.error !== null && !isStale && <RequestFailure error={saving.error} />}
      <SaveLine isChanged={isChanged} busy={saving.isPending} onDiscard={() => setDraft(former)} />
    </Form>
  )
}

interface ListsProps {
  draft: FilterDraft
  errors: ReadonlyMap<string, string> | undefined
  onChange: (part: Partial<FilterDraft>) => void
}

const EXCLUDED = ['excludedTerms', 'excludedAuthors', 'excludedRepos'] as const

function ExcludedCard({ draft, errors, onChange }: ListsProps) {
  return (
    <Card title={words.excluded}>
      <div className={styles.stack}>
        {EXCLUDED.map((name) => (
          <Field key={name} label={words[name]} hint={words[`${name}Hint`]} error={reasonFor(errors, name)}>
            <TagInput label={words[name]} values={draft[name]} onChange={(values) => onChange({ [name]: values })} />
          </Field>
        ))}
      </div>
    </Card>
  )
}

const SUBREDDITS = [
  ['only', words.onlySubreddits, words.onlySubredditsHint],
  ['excluded', words.excludedSubreddits, words.excludedSubredditsHint],
] as const

function SubredditCard({ draft: { subreddits }, errors, onChange }: ListsProps) {
  return (
    <Card title={words.reddit}>
      <div className={styles.stack}>
        {SUBREDDITS.map(([name, label, hint]) => (
          <Field key={name} label={label} hint={hint} error={reasonFor(errors, `subreddits.${name}`)}>
            <TagInput
              label={label}
              values={subreddits[name]}
              onChange={(values) => onChange({ subreddits: { ...subreddits, [name]: values } })}
            />
          </Field>
        ))}
      </div>
    </Card>
  )
}
