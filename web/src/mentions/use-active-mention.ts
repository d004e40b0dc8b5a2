import { useEffect, useState } from 'react'
import type { Mention } from '../api/mentions.ts'

/** Milliseconds after a move until the address names the mention, because browsers limit such changes. */
const ADDRESS_MS = 300

export interface ActiveMention {
  /** -1 in an empty list. */
  index: number
  mention: Mention | null
  /** Whether a narrow screen shows the mention instead of the list. */
  isOpen: boolean
  activate: (index: number) => void
  open: () => void
  close: () => void
}

/** The mention that keys act on. It keeps its place when rows before it come or go, and gives it to the next one. */
export function useActiveMention(mentions: readonly Mention[], linkedId: string | null): ActiveMention {
  const [place, setPlace] = useState<{ id: string | null; index: number }>({ id: linkedId, index: 0 })
  const [isOpen, setOpen] = useState(linkedId !== null)
  const found = mentions.findIndex(({ id }) => id === place.id)
  const index = found >= 0 ? found : Math.min(place.index, mentions.length - 1)
  const mention = mentions[index] ?? null
  const id = mention?.id ?? null
  useEffect(() => {
    if (id === null) return
    const timer = setTimeout(() => {
      const address = new URL(location.href)
      address.searchParams.set('m', id)
      history.replaceState(history.state, '', address)
    }, ADDRESS_MS)
    return () => clearTimeout(timer)
  }, [id])
  return {
    index,
    mention,
    isOpen: isOpen && mention !== null,
    activate: (wanted) => {
      const next = Math.max(0, Math.min(wanted, mentions.length - 1))
      setPlace({ id: mentions[next]?.id ?? null, index: next })
    },
    open: () => setOpen(true),
    close: () => setOpen(false),
  }
}
