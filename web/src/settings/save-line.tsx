import { Button } from '../kit/button.tsx'
import styles from './settings.module.css'
import { words } from './words.ts'

interface SaveLineProps {
  isChanged: boolean
  busy: boolean
  onDiscard: () => void
}

/** The buttons at the end of a form of settings. */
export function SaveLine({ isChanged, busy, onDiscard }: SaveLineProps) {
  return (
    <div className={styles.line}>
      <Button type="submit" variant="primary" busy={busy} disabled={!isChanged}>
        {words.save}
      </Button>
      {isChanged && <Button onClick={onDiscard}>{words.discard}</Button>}
      {isChanged && <small className={styles.small}>{words.changed}</small>}
    </div>
  )
}
