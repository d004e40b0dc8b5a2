import {
  type ComponentProps,
  cloneElement,
  lazy,
  type ReactElement,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react'
import { loadTooltipPopup } from './floating/load.ts'
import { useWasOpen } from './floating/use-was-open.ts'

const TooltipPopup = lazy(async () => ({ default: (await loadTooltipPopup()).TooltipPopup }))

/** Long enough that a pointer on its way elsewhere opens nothing. */
const OPEN_MS = 400
/** Long enough to move the pointer onto the hint. */
const CLOSE_MS = 120

interface TooltipProps {
  /** For the eye alone: the element has its own name. */
  text: string
  keys?: string | undefined
  children: ReactElement<ComponentProps<'button'>>
}

export function Tooltip({ text, keys, children }: TooltipProps) {
  const anchor = useRef<HTMLButtonElement>(null)
  const { open, openAfter, closeAfter } = useDelayedOpen()
  const wasOpen = useWasOpen(open)
  const element = cloneElement(children, {
    ref: anchor,
    onPointerEnter: (event) => event.pointerType === 'mouse' && openAfter(OPEN_MS),
    onPointerLeave: () => closeAfter(CLOSE_MS),
    onPointerDown: () => closeAfter(0),
    onFocus: (event) => event.currentTarget.matches(':focus-visible') && openAfter(0),
    onBlur: () => closeAfter(0),
  })
  return (
    <>
      {element}
      {wasOpen && (
        <Suspense fallback={null}>
          <TooltipPopup
            anchor={anchor}
            open={open}
            text={text}
            keys={keys}
            onPointerEnter={() => openAfter(0)}
            onPointerLeave={() => closeAfter(CLOSE_MS)}
            onEscape={() => closeAfter(0)}
          />
        </Suspense>
      )}
    </>
  )
}

function useDelayedOpen() {
  const [open, setOpen] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const changeAfter = (next: boolean, ms: number): void => {
    clearTimeout(timer.current)
    timer.current = setTimeout(setOpen, ms, next)
  }
  return {
    open,
    openAfter: (ms: number) => changeAfter(true, ms),
    closeAfter: (ms: number) => changeAfter(false, ms),
  }
}
