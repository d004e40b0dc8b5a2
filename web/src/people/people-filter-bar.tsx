import { useRef, useState } from 'react'
import { useKeys } from '../app/keys.ts'
import { Button } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { NativeSelect, TextInput } from '../kit/field.tsx'
import { Filter as FilterIcon } from '../kit/icons.tsx'
import { conditionsInWords } from './condition-words.ts'
import { FilterFields } from './filter-fields.tsx'
import styles from './people.module.css'
import { isFiltered, type ListQuery, SORTS, withCondition } from './people-query.ts'
import { useSegments } from './use-people.ts'
import { words } from './words.ts'

interface PeopleFilterBarProps {
  query: ListQuery
  total: number | null
  onChange: (query: ListQuery) => void
}

const SORT_OPTIONS = SORTS.map((sort) => ({ value: sort, label: words.sorts[sort] }))

export function PeopleFilterBar({ query, total, onChange }: PeopleFilterBarProps) {
  const [isOpen, setOpen] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useKeys({ filter: () => input.current?.focus() })
  const { filter } = query
  const { q: _, ...conditions } = filter
  const change = (part: Partial<ListQuery>) => onChange({ ...query, ...part })
  return (
    <search className={styles.filterBar}>
      <div className={styles.filter}>
        <TextInput
          ref={input}
          type="search"
          className={styles.text}
          aria-label={words.search}
          placeholder={words.search}
          maxLength={200}
          value={filter.q ?? ''}
          onChange={({ target }) => change({ filter: withCondition(filter, 'q', target.value) })}
        />
        <SegmentSelect value={query.segmentId} onChange={(segmentId) => change({ segmentId })} />
        <NativeSelect
          className={styles.select}
          aria-label={words.sort}
          options={SORT_OPTIONS}
          value={query.sort}
          onChange={({ target }) => change({ sort: SORTS.find((sort) => sort === target.value) ?? 'mentions' })}
        />
        <Button icon={<FilterIcon />} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {words.conditions}
        </Button>
        <p className={styles.total} role="status">
          {total === null ? '' : words.total(total)}
        </p>
      </div>
      {isOpen && (
        <Card>
          <FilterFields filter={filter} onChange={(next) => change({ filter: next })} />
        </Card>
      )}
      {isFiltered(query) && (
        <p className={styles.line}>
          {Object.keys(conditions).length > 0 && <small>{conditionsInWords(conditions)}</small>}
          <Button size="small" variant="quiet" onClick={() => change({ filter: {}, segmentId: null })}>
            {words.clearFilter}
          </Button>
        </p>
      )}
    </search>
  )
}

function SegmentSelect({ value, onChange }: { value: string | null; onChange: (segmentId: string | null) => void }) {
  const segments = useSegments()
  if (segments.data === undefined || (segments.data.data.length === 0 && value === null)) return null
  const options = segments.data.data.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <NativeSelect
      className={styles.select}
      aria-label={words.segment}
      options={[{ value: '', label: words.allSegments }, ...options]}
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value || null)}
    />
  )
}
