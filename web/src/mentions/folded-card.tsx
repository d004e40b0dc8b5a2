import type { ReactNode } from 'react'
import { Button } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { words } from './words.ts'

interface FoldedCardProps {
  title: string
  keys?: string | undefined
  shown: boolean
  onShow: () => void
  /** In place of the contents while the card is folded. */
  hint?: ReactNode
  children: ReactNode
}

/** A card whose contents are asked for when somebody unfolds it. */
export function FoldedCard({ title, keys, shown, onShow, hint, children }: FoldedCardProps) {
  const toggle = (
    <Button size="small" variant="quiet" keys={keys} aria-expanded={shown} onClick={onShow}>
      {shown ? words.hide : words.show}
    </Button>
  )
  return (
    <Card title={title} aside={toggle}>
      {shown ? children : hint}
    </Card>
  )
}
