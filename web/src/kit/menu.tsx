import { lazy, Suspense } from 'react'
import { type Openness, type Trigger, useAnchored } from './floating/anchored.ts'
import { loadMenuPopup } from './floating/load.ts'
import type { MenuItem } from './floating/menu-item.ts'
import { useWasOpen } from './floating/use-was-open.ts'

const MenuPopup = lazy(async () => ({ default: (await loadMenuPopup()).MenuPopup }))

interface MenuProps extends Openness {
  trigger: Trigger
  items: readonly MenuItem[]
  /** The name of the menu, for screen readers. */
  label: string
}

export function Menu({ trigger, items, label, ...openness }: MenuProps) {
  const { element, ...anchored } = useAnchored(trigger, 'menu', openness)
  const wasOpen = useWasOpen(anchored.open)
  return (
    <>
      {element}
      {wasOpen && (
        <Suspense fallback={null}>
          <MenuPopup {...anchored} items={items} label={label} />
        </Suspense>
      )}
    </>
  )
}
