import { type ComponentProps, cloneElement, type ReactElement, type RefObject, useRef, useState } from 'react'

/** A button of the kit, or any element that takes the properties of a button. */
export type Trigger = ReactElement<ComponentProps<'button'>>

export interface Openness {
  /** Where left out, the part opens and closes by itself. */
  open?: boolean | undefined
  onOpenChange?: ((open: boolean) => void) | undefined
}

/** What a popup needs to know: where it stands, whether it is open, and how to close. */
export interface Anchored {
  anchor: RefObject<HTMLButtonElement | null>
  open: boolean
  setOpen: (open: boolean) => void
}

interface AnchoredTrigger extends Anchored {
  element: ReactElement
}

/** Makes the element open and close its popup. The element stays the same before and after the popup is loaded. */
export function useAnchored(trigger: Trigger, popup: 'menu' | 'dialog', openness: Openness): AnchoredTrigger {
  const anchor = useRef<HTMLButtonElement>(null)
  const [ownOpen, setOwnOpen] = useState(false)
  const open = openness.open ?? ownOpen
  const setOpen = (next: boolean): void => {
    setOwnOpen(next)
    openness.onOpenChange?.(next)
  }
  const element = cloneElement(trigger, {
    ref: anchor,
    'aria-haspopup': popup,
    'aria-expanded': open,
    onClick: (event) => {
      trigger.props.onClick?.(event)
      if (!event.defaultPrevented) setOpen(!open)
    },
    onKeyDown: (event) => {
      trigger.props.onKeyDown?.(event)
      if (popup !== 'menu' || event.key !== 'ArrowDown') return
      event.preventDefault()
      setOpen(true)
    },
  })
  return { anchor, open, setOpen, element }
}

/** Whether the press that closes a popup is on its button, whose own click closes the popup. */
export function isPressOnAnchor(anchor: Anchored['anchor'], details: { reason: string; event: Event }): boolean {
  const { target } = details.event
  return details.reason === 'outside-press' && target instanceof Node && anchor.current?.contains(target) === true
}
