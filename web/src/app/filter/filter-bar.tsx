import { type FormEvent, useRef, useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { Chip } from '../../kit/chip.tsx'
import { Filter as FilterIcon } from '../../kit/icons.tsx'
import { Kbd } from '../../kit/kbd.tsx'
import { useKeys } from '../keys.ts'
import styles from './filter-bar.module.css'
import { readFilterLine } from './filter-line-text.ts'
import { FILTER_NAMES, type Filter, type FilterParam, PASSING_PARAMS } from './filter-params.ts'
import { type Names, useNames } from './use-names.ts'
import { words } from './words.ts'

interface FilterBarProps {
  filter: Filter
  onChange: (filter: Filter) => void
  /** Conditions that do not become part of what is made of the filter, and why. Default: those of views. */
  passing?: ReadonlySet<FilterParam> | undefined
  passingHint?: string | undefined
  placeholder?: string | undefined
}

/** The filter as chips, and a line that adds to it. Each chip is a parameter of the API. */
export function FilterBar(props: FilterBarProps) {
  const { filter, onChange } = props
  const [line, setLine] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const names = useNames(filter)
  useKeys({ filter: () => input.current?.focus() })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (line.trim() === '') return
    onChange(readFilterLine(line, filter))
    setLine('')
  }
  const present = FILTER_NAMES.filter((name) => filter[name] !== undefined)
  return (
    <search className={styles.bar}>
      <FilterIcon />
      {present.map((param) => (
        <FilterChip key={param} {...props} param={param} names={names} />
      ))}
      <form className={styles.form} onSubmit={submit}>
        <input
          ref={input}
          className={styles.input}
          type="text"
          aria-label={words.filter}
          placeholder={props.placeholder ?? words.filterPlaceholder}
          value={line}
          maxLength={400}
          onChange={(event) => setLine(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur()
            if (event.key === 'Backspace' && line === '' && present.length > 0)
              onChange(without(filter, present.at(-1)!))
          }}
        />
        {line === '' ? (
          <Kbd keys="/" />
        ) : (
          <Button type="submit" size="small">
            {words.applyFilter}
          </Button>
        )}
      </form>
    </search>
  )
}

export function without(filter: Filter, param: FilterParam): Filter {
  const { [param]: _, ...rest } = filter
  return rest
}

interface ChipProps extends FilterBarProps {
  param: FilterParam
  names: Names
}

function FilterChip({ param, names, filter, onChange, passing = PASSING_PARAMS, passingHint }: ChipProps) {
  const value = words.chipValue(param, named(filter[param], names))
  return (
    <Chip
      dashed={passing.has(param)}
      onRemove={() => onChange(without(filter, param))}
      removeLabel={words.removeChip(`${words.param(param)} ${value}`)}
    >
      <span title={passing.has(param) ? (passingHint ?? words.passing) : undefined}>
        {words.param(param)} <b>{value}</b>
      </span>
    </Chip>
  )
}

function named(value: unknown, names: Names): unknown {
  if (Array.isArray(value)) return value.map((word) => names.get(String(word)) ?? word)
  return names.get(String(value)) ?? value
}
