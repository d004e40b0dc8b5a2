import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useKeys } from '../app/keys.ts'
import { GROUPS_QUERY } from '../app/workspace-queries.ts'
import { CheckPills } from '../kit/check-pills.tsx'
import { NativeSelect, TextInput } from '../kit/field.tsx'
import styles from './keyword-filter.module.css'
import { type ListQuery, SORTS, STATUSES } from './list-query.ts'
import { words } from './words.ts'

interface KeywordFilterProps {
  query: ListQuery
  total: number | null
  onChange: (query: ListQuery) => void
}

const STATUS_OPTIONS = STATUSES.map((status) => ({ value: status, label: words.statuses[status] }))
const SORT_OPTIONS = SORTS.map((sort) => ({ value: sort, label: words.sorts[sort] }))

export function KeywordFilter({ query, total, onChange }: KeywordFilterProps) {
  const input = useRef<HTMLInputElement>(null)
  useKeys({ filter: () => input.current?.focus() })
  const change = (part: Partial<ListQuery>) => onChange({ ...query, ...part })
  return (
    <div className={styles.filter}>
      <TextInput
        ref={input}
        type="search"
        className={styles.text}
        aria-label={words.filter}
        placeholder={words.filter}
        maxLength={200}
        value={query.q}
        onChange={(event) => change({ q: event.target.value })}
      />
      <CheckPills
        legend={words.status}
        options={STATUS_OPTIONS}
        values={query.status}
        onChange={(status) => change({ status })}
      />
      <GroupSelect value={query.groupId} onChange={(groupId) => change({ groupId })} />
      <NativeSelect
        className={styles.select}
        aria-label={words.sort}
        options={SORT_OPTIONS}
        value={query.sort}
        onChange={(event) => change({ sort: SORTS.find((sort) => sort === event.target.value) ?? 'newest' })}
      />
      <p className={styles.total} role="status">
        {total === null ? '' : words.total(total)}
      </p>
    </div>
  )
}

function GroupSelect({ value, onChange }: { value: string | null; onChange: (groupId: string | null) => void }) {
  const groups = useQuery(GROUPS_QUERY)
  if (groups.data === undefined || (groups.data.data.length < 2 && value === null)) return null
  const options = groups.data.data.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <NativeSelect
      className={styles.select}
      aria-label={words.group}
      options={[{ value: '', label: words.allGroups }, ...options]}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value || null)}
    />
  )
}
