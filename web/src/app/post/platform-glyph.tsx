import { PLATFORM_TABLE } from '../platform-table.ts'
import type { Platform } from '../platforms.ts'
import styles from './platform-glyph.module.css'

export function PlatformGlyph({ platform, large = false }: { platform: Platform; large?: boolean }) {
  const { name, letters, colour } = PLATFORM_TABLE[platform]
  return (
    <span
      className={large ? styles.large : styles.glyph}
      style={{ background: colour }}
      role="img"
      aria-label={name}
      title={name}
    >
      {letters}
    </span>
  )
}
