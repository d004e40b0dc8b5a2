import styles from './kbd.module.css'

/** Keys to press one after the other, apart by spaces: `g i`. */
export function Kbd({ keys }: { keys: string }) {
  return <kbd className={styles.kbd}>{keys}</kbd>
}
