import styles from './kbd.module.css'
import { words } from './words.ts'

interface KbdProps {
  /** Keys to press one after the other, apart by spaces: `g i`. */
  keys: string
  /** Where the keys stand in a button, whose name they are no part of. */
  hidden?: boolean | undefined
}

export function Kbd({ keys, hidden }: KbdProps) {
  return (
    <kbd className={styles.kbd} aria-hidden={hidden}>
      {shownKeys(keys)}
    </kbd>
  )
}

const SIGNS: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  Escape: 'Esc',
  Mod: /Mac|iP/.test(globalThis.navigator?.platform ?? '') ? '⌘' : words.control,
}

/** As they stand on a keyboard. */
function shownKeys(keys: string): string {
  return keys
    .split(' ')
    .map((key) => SIGNS[key] ?? key)
    .join(' ')
}

/** The property that tells screen readers of a key; chords have no form in it. */
export function keyShortcuts(keys: string | undefined): { 'aria-keyshortcuts'?: string } {
  return keys === undefined || keys.length > 1 ? {} : { 'aria-keyshortcuts': keys }
}
