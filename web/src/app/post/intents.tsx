import { Badge } from '../../kit/badge.tsx'
import { words } from './words.ts'

/** What the author wants, one badge for each intent. */
export function Intents({ intents }: { intents: readonly string[] }) {
  return intents.map((intent) => (
    <Badge key={intent} tone="neutral">
      {words.intent(intent)}
    </Badge>
  ))
}
