import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import styles from './search-list.module.css'

interface SearchGroup<Item> {
  id: string
  label: string
  items: readonly Item[]
}

interface SearchListProps<Item> {
  label: string
  placeholder: string
  /** Shown when there is nothing to choose. */
  nothing: string
  query: string
  onQuery: (query: string) => void
  groups: readonly SearchGroup<Item>[]
  /** Unique over all groups, without spaces. */
  keyOf: (item: Item) => string
  render: (item: Item) => ReactNode
  onChoose: (item: Item) => void
}

/** A field over an open list: a combobox of ARIA. The focus stays in the field, arrows move the choice. */
export function SearchList<Item>(props: SearchListProps<Item>) {
  const { label, placeholder, nothing, query, onQuery, groups, keyOf, onChoose } = props
  const id = useId()
  const items = groups.flatMap((group) => group.items)
  const [moved, setMoved] = useState(0)
  // The list may get shorter while a request is answered.
  const active = Math.min(moved, items.length - 1)
  const activeItem = items[active]
  const onKeyDown = (event: KeyboardEvent) => {
    // With a modifier, arrows and Enter belong to the field and the browser.
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const next = movedBy(event.key, active, items.length)
    const chosen = event.key === 'Enter' ? activeItem : undefined
    // Enter also ends a composed word.
    if (event.nativeEvent.isComposing || (next === null && chosen === undefined)) return
    event.preventDefault()
    if (next !== null) setMoved(next)
    else if (chosen !== undefined) onChoose(chosen)
  }
  return (
    <>
      <input
        className={styles.field}
        role="combobox"
        aria-label={label}
        aria-expanded={items.length > 0}
        aria-autocomplete="list"
        aria-controls={id}
        aria-activedescendant={activeItem === undefined ? undefined : optionId(id, keyOf(activeItem))}
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        value={query}
        onChange={(event) => {
          onQuery(event.currentTarget.value)
          setMoved(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div className={styles.empty} role="status">
        {items.length === 0 && nothing}
      </div>
      <List {...props} id={id} active={active} onPoint={setMoved} />
    </>
  )
}

interface ListProps<Item> extends SearchListProps<Item> {
  id: string
  active: number
  onPoint: (index: number) => void
}

function List<Item>({ id, label, groups, keyOf, render, active, onPoint, onChoose }: ListProps<Item>) {
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is chosen now has to be seen
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active, groups])
  const firsts = groups.map((_, index) => groups.slice(0, index).reduce((sum, { items }) => sum + items.length, 0))
  return (
    <div ref={list} id={id} role="listbox" aria-label={label} className={styles.list}>
      {groups.map((group, at) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
        <div key={group.id} role="group" aria-labelledby={`${id}-${group.id}`}>
          <div id={`${id}-${group.id}`} className={styles.heading}>
            {group.label}
          </div>
          {group.items.map((item, index) => {
            const place = firsts[at]! + index
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes all keys
              // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus
              <div
                key={keyOf(item)}
                id={optionId(id, keyOf(item))}
                role="option"
                aria-selected={place === active}
                className={styles.entry}
                onMouseDown={(event) => event.preventDefault()}
                onMouseMove={() => onPoint(place)}
                onClick={() => onChoose(item)}
              >
                {render(item)}
              </div>
            )
          })}
        </div>
      ))}
    </div>
  )
}

/** By the item, so that assistive technology announces another item in the same place. */
function optionId(list: string, key: string): string {
  return `${list}-option-${key}`
}

/** Where an arrow leads, round the ends; null for other keys. */
function movedBy(key: string, active: number, count: number): number | null {
  if (count === 0) return null
  if (key === 'ArrowDown') return (active + 1) % count
  if (key === 'ArrowUp') return (active + count - 1) % count
  return null
}
