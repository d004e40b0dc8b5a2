import { Button } from '../kit/button.tsx'
import styles from './bulk-bar.module.css'
import type { Selection } from './use-selection.ts'
import { words } from './words.ts'

interface BulkBarProps {
  selection: Selection
  loaded: number
  total: number | undefined
  onMatching: () => void
}

/** How many mentions are selected, and the way to all that match. */
export function BulkBar({ selection, loaded, total, onMatching }: BulkBarProps) {
  const { ids, isMatching, clear } = selection
  if (ids.size === 0) return null
  const isMore = total !== undefined && total > ids.size
  return (
    <div className={styles.bar} role="status">
      <b>{isMatching && total !== undefined ? words.matchingSelected(total) : words.selected(ids.size)}</b>
      {!isMatching && ids.size === loaded && isMore && (
        <Button size="small" onClick={onMatching}>
          {words.selectMatching(total)}
        </Button>
      )}
      <Button size="small" variant="quiet" onClick={clear}>
        {words.clearSelection}
      </Button>
    </div>
  )
}
