import { useQuery } from '@tanstack/react-query'
import { NativeSelect } from '../../kit/field.tsx'
import { GROUPS_QUERY, KEYWORD_NAMES_QUERY } from '../workspace-queries.ts'
import styles from './filter-choices.module.css'
import type { Filter } from './filter-params.ts'
import { words } from './words.ts'

interface FilterChoicesProps {
  filter: Filter
  onChange: (filter: Filter) => void
}

/** Conditions whose values are objects of the workspace. Each choice becomes a chip of the filter line. */
export function FilterChoices({ filter, onChange }: FilterChoicesProps) {
  const keywords = useQuery(KEYWORD_NAMES_QUERY)
  const groups = useQuery(GROUPS_QUERY)
  const add = (param: 'keywordIds' | 'groupIds', id: string) =>
    onChange({ ...filter, [param]: [...new Set([...(filter[param] ?? []), id])] })
  return (
    <div className={styles.choices}>
      <Choice
        label={words.addKeyword}
        options={keywords.data?.data.map(({ id, term }) => ({ value: id, label: term })) ?? []}
        onChoose={(id) => add('keywordIds', id)}
      />
      <Choice
        label={words.addGroup}
        options={groups.data?.data.map(({ id, name }) => ({ value: id, label: name })) ?? []}
        onChoose={(id) => add('groupIds', id)}
      />
    </div>
  )
}

interface ChoiceProps {
  label: string
  options: readonly { value: string; label: string }[]
  onChoose: (id: string) => void
}

function Choice({ label, options, onChoose }: ChoiceProps) {
  return (
    <NativeSelect
      className={styles.choice}
      aria-label={label}
      options={[{ value: '', label }, ...options]}
      value=""
      onChange={(event) => event.target.value !== '' && onChoose(event.target.value)}
    />
  )
}
