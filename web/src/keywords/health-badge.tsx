import type { Keyword } from '../api/keywords.ts'
import { Badge } from '../kit/badge.tsx'
import type { Tone } from '../kit/tone.ts'
import { words } from './words.ts'

type Health = Keyword['stats']['health']

const TONES: Readonly<Record<Health, Tone>> = {
  healthy: 'positive',
  noisy: 'negative',
  quiet: 'neutral',
  capped: 'warning',
  paused: 'neutral',
  new: 'accent',
}

export function HealthBadge({ health }: { health: Health }) {
  return <Badge tone={TONES[health]}>{words.healths[health]}</Badge>
}
