import { PLATFORM_NAMES, type Platform } from '../platforms.ts'
import styles from './platform-glyph.module.css'

/** The letters and brand colour of a platform. */
const GLYPHS: Readonly<Record<Platform, readonly [letters: string, colour: string]>> = {
  bluesky: ['bs', '#0a66d8'],
  hackernews: ['Y', '#c24e00'],
  github: ['gh', '#24292f'],
  stackoverflow: ['so', '#b4570a'],
  devto: ['dev', '#3b3b3b'],
  reddit: ['re', '#d03a00'],
  x: ['X', '#14171a'],
  youtube: ['yt', '#c8102e'],
  news: ['N', '#4b5563'],
  linkedin: ['in', '#0a66c2'],
  tiktok: ['tt', '#111827'],
  instagram: ['ig', '#b0266b'],
  appstore: ['as', '#0b63c5'],
  googleplay: ['gp', '#0b7a4b'],
  trustpilot: ['★', '#00754a'],
  googlemaps: ['gm', '#1a66d0'],
}

export function PlatformGlyph({ platform, large = false }: { platform: Platform; large?: boolean }) {
  const [letters, colour] = GLYPHS[platform]
  const name = PLATFORM_NAMES[platform]
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
