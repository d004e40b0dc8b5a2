import styles from './tone.module.css'

export type Tone = 'neutral' | 'accent' | 'positive' | 'negative' | 'warning'

/** The class that sets `--tone` to the colour of the tone. */
export function toneClass(tone: Tone): string {
  return styles[tone]!
}
