import type { Delivery } from '../api/deliveries.ts'
import { Badge } from '../kit/badge.tsx'
import type { Tone } from '../kit/tone.ts'
import { words } from './words.ts'

const TONES: Readonly<Record<Delivery['status'], Tone>> = {
  pending: 'accent',
  held: 'warning',
  delivered: 'positive',
  failed: 'negative',
  cancelled: 'neutral',
}

export function StatusBadge({ status }: { status: Delivery['status'] }) {
  return <Badge tone={TONES[status]}>{words.statuses[status]}</Badge>
}
