import { useEffect } from 'react'
import { Link } from 'wouter'
import { type Filter, printFilter, SORTS, type Sort } from '../app/filter/filter-params.ts'
import { keyOf } from '../app/key-table.ts'
import { useSession } from '../app/session.ts'
import { Button, IconButton } from '../kit/button.tsx'
import { NativeSelect } from '../kit/field.tsx'
import { Check } from '../kit/icons.tsx'
import { VisuallyHidden } from '../kit/visually-hidden.tsx'
import styles from './list-head.module.css'
import type { Arrivals } from './use-arrivals.ts'
import { type InboxAddress, OPEN_FILTER } from './use-inbox-address.ts'
import type { MentionCount } from './use-mention-count.ts'
import { words } from './words.ts'

interface ListHeadProps {
  address: InboxAddress
  arrivals: Arrivals
  count: MentionCount
  onSelectAll: () => void
}

/** Parts of the inbox, the counter, what is new, and the order. */
export function ListHead({ address, arrivals, count: { relevant, total }, onSelectAll }: ListHeadProps) {
  const { filter, sort, viewId, show } = address
  useTitleCount(arrivals.count)
  return (
    <div className={styles.head}>
      {viewId === null && <Shelves filter={filter} />}
      <div className={styles.line}>
        <small className={styles.counter}>{relevant !== undefined && words.counter(relevant, total)}</small>
        {arrivals.count > 0 && (
          <Button size="small" variant="primary" keys={keyOf('loadNew')} onClick={arrivals.load}>
            {words.newMentions(arrivals.count)}
          </Button>
        )}
        <VisuallyHidden>
          <span aria-live="polite">{arrivals.count > 0 && words.newAnnounced(arrivals.count)}</span>
        </VisuallyHidden>
        <IconButton label={words.selectAll} keys={keyOf('selectAll')} icon={<Check />} onClick={onSelectAll} />
        <NativeSelect
          className={styles.sort}
          aria-label={words.sort}
          value={sort}
          onChange={(event) => show(filter, event.currentTarget.value as Sort)}
          options={SORTS.map((value) => ({ value, label: words.sorts[value] }))}
        />
      </div>
    </div>
  )
}

function Shelves({ filter }: { filter: Filter }) {
  const { user } = useSession()
  const shelves: readonly (readonly [label: string, filter: Filter])[] = [
    [words.open, OPEN_FILTER],
    [words.mine, { status: ['open'], assigneeId: user.id }],
    [words.snoozed, { snoozed: true }],
    [words.done, { status: ['done', 'ignored'] }],
    [words.everything, { status: ['open', 'ignored', 'done'] }],
  ]
  const present = printFilter(filter).toString()
  return (
    <nav className={styles.shelves} aria-label={words.shelves}>
      {shelves.map(([label, shelf]) => {
        const text = printFilter(shelf).toString()
        return (
          <Link
            key={label}
            className={styles.shelf}
            href={shelf === OPEN_FILTER ? '/inbox' : `/inbox?${text}`}
            aria-current={text === present ? 'page' : undefined}
          >
            {label}
          </Link>
        )
      })}
    </nav>
  )
}

/** The number of new mentions before the title of the tab. */
function useTitleCount(count: number): void {
  useEffect(() => {
    const plain = document.title.replace(/^\(\d+\) /, '')
    document.title = count === 0 ? plain : `(${count}) ${plain}`
  }, [count])
}
