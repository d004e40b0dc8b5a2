/** A test checks the contrast of every pair that meets on a page. */
export interface Palette {
  ground: string
  sheet: string
  text: string
  /** Secondary text. */
  quiet: string
  edge: string
  line: string
  accent: string
  onAccent: string
  alarm: string
  notice: string
}

export const LIGHT: Palette = {
  ground: '#f4f6f8',
  sheet: '#ffffff',
  text: '#171c26',
  quiet: '#525c6e',
  edge: '#7d8798',
  line: '#dfe3ea',
  accent: '#1f4fd0',
  onAccent: '#ffffff',
  alarm: '#b3261e',
  notice: '#eaf0ff',
}

export const DARK: Palette = {
  ground: '#0f131a',
  sheet: '#181e28',
  text: '#e9edf3',
  quiet: '#a9b3c3',
  edge: '#77829a',
  line: '#2b3342',
  accent: '#8fb4ff',
  onAccent: '#0d1422',
  alarm: '#ffa299',
  notice: '#1f2b45',
}
