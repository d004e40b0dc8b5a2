import type { ReactNode } from 'react'

export interface MenuItem {
  label: string
  keys?: string | undefined
  icon?: ReactNode
  onSelect: () => void
  danger?: boolean | undefined
  disabled?: boolean | undefined
  /** Where given, the item is a setting that is on or off. */
  checked?: boolean | undefined
}
