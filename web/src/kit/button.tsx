import { clsx } from 'clsx'
import type { ComponentProps, ReactNode } from 'react'
import styles from './button.module.css'
import { Kbd, keyShortcuts } from './kbd.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'
import { words } from './words.ts'

interface Look {
  variant?: 'plain' | 'primary' | 'danger' | 'quiet' | undefined
  size?: 'medium' | 'small' | undefined
}

interface Extras {
  /** The key that does the same, shown beside the text. */
  keys?: string | undefined
  icon?: ReactNode
}

interface ButtonProps extends ComponentProps<'button'>, Look, Extras {
  /** Shows that the action runs; a second press does nothing meanwhile. */
  busy?: boolean | undefined
}

export function Button({ variant, size, keys, icon, busy, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...keyShortcuts(keys)}
      {...rest}
      className={clsx(lookClass({ variant, size }), busy && styles.busy, className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled']}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {icon}
      {children}
      {busy && <VisuallyHidden>{words.busy}</VisuallyHidden>}
      {keys !== undefined && <Kbd keys={keys} hidden />}
    </button>
  )
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'>, Look {
  /** The name of the button, for screen readers and as a hint. */
  label: string
  icon: ReactNode
  keys?: string | undefined
}

export function IconButton({ label, icon, keys, variant = 'quiet', size, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      {...keyShortcuts(keys)}
      title={keys === undefined ? label : `${label} (${keys})`}
      {...rest}
      className={clsx(lookClass({ variant, size }), styles.square, className)}
    >
      {icon}
    </button>
  )
}

type LinkButtonProps = ComponentProps<'a'> & Look & Extras

export function LinkButton({ variant, size, keys, icon, className, children, ...rest }: LinkButtonProps) {
  return (
    <a {...keyShortcuts(keys)} {...rest} className={clsx(lookClass({ variant, size }), className)}>
      {icon}
      {children}
      {keys !== undefined && <Kbd keys={keys} hidden />}
    </a>
  )
}

function lookClass({ variant = 'plain', size = 'medium' }: Look): string {
  return clsx(styles.button, styles[variant], styles[size])
}
