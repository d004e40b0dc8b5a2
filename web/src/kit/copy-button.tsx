import { Button, IconButton } from './button.tsx'
import { type CopyState, useCopy } from './copy.ts'
import { Check, Copy, Warning } from './icons.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'
import { words } from './words.ts'

const ICONS = { idle: <Copy />, copied: <Check />, failed: <Warning /> }

interface CopyButtonProps {
  value: string
  /** What is copied: "request id". */
  label: string
  /** Shown beside the icon. */
  text?: string | undefined
}

export function CopyButton({ value, label, text }: CopyButtonProps) {
  const { state, copy } = useCopy()
  const shared = { icon: ICONS[state], size: 'small', onClick: () => void copy(value) } as const
  return (
    <>
      {text === undefined ? (
        <IconButton {...shared} label={words.copyLabel(label)} />
      ) : (
        <Button {...shared} variant="quiet" aria-label={words.copyLabel(label)}>
          {text}
        </Button>
      )}
      <VisuallyHidden>
        <span role="status">{outcome(state)}</span>
      </VisuallyHidden>
    </>
  )
}

function outcome(state: CopyState): string {
  if (state === 'idle') return ''
  return state === 'copied' ? words.copied : words.copyFailed
}
