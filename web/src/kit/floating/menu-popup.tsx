import { Menu } from '@base-ui/react/menu'
import { clsx } from 'clsx'
import { Check } from '../icons.tsx'
import { Kbd } from '../kbd.tsx'
import { type Anchored, isPressOnAnchor } from './anchored.ts'
import type { MenuItem } from './menu-item.ts'
import styles from './popup.module.css'

interface MenuPopupProps extends Anchored {
  items: readonly MenuItem[]
  label: string
}

export function MenuPopup({ anchor, open, setOpen, items, label }: MenuPopupProps) {
  const hasMarks = items.some((item) => item.icon !== undefined || item.checked !== undefined)
  return (
    <Menu.Root open={open} onOpenChange={(next, details) => isPressOnAnchor(anchor, details) || setOpen(next)}>
      <Menu.Portal>
        <Menu.Positioner
          anchor={anchor}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          className={styles.positioner}
        >
          <Menu.Popup aria-label={label} finalFocus={anchor} className={clsx(styles.popup, styles.menu)}>
            {items.map((item) => (
              <Item key={item.label} item={item} hasMarks={hasMarks} />
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

function Item({ item, hasMarks }: { item: MenuItem; hasMarks: boolean }) {
  const { label, keys, icon, onSelect, danger, disabled = false, checked } = item
  const className = clsx(styles.item, danger && styles.danger)
  const content = (
    <>
      {hasMarks && <span className={styles.mark}>{checked ? <Check /> : icon}</span>}
      <span className={styles.label}>{label}</span>
      {keys !== undefined && <Kbd keys={keys} hidden />}
    </>
  )
  if (checked === undefined) {
    return (
      <Menu.Item className={className} disabled={disabled} label={label} onClick={onSelect}>
        {content}
      </Menu.Item>
    )
  }
  return (
    <Menu.CheckboxItem
      className={className}
      checked={checked}
      disabled={disabled}
      label={label}
      closeOnClick
      onCheckedChange={onSelect}
    >
      {content}
    </Menu.CheckboxItem>
  )
}
