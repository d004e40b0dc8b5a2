import { Bar } from '../../kit/meter.tsx'
import { words } from './words.ts'

/** A relevance from 0 to 100 as a line. The figure stands beside it. */
export function RelevanceBar({ relevance }: { relevance: number }) {
  return <Bar share={relevance / 100} label={words.relevanceOf(relevance)} />
}
