import type { Alert } from '../api/alerts.ts'
import type { Tone } from '../kit/tone.ts'
import { words } from './words.ts'

export function stateOf({ enabled, channelIds }: Alert): { tone: Tone; label: string } {
  if (!enabled) return { tone: 'neutral', label: words.states.off }
  if (channelIds.length === 0) return { tone: 'warning', label: words.states.silent }
  return { tone: 'positive', label: words.states.on }
}
