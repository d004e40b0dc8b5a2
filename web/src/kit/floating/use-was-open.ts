import { useState } from 'react'

/** True from the first opening on: what was never opened is not loaded, what closes stays for its last motion. */
export function useWasOpen(open: boolean): boolean {
  const [wasOpen, setWasOpen] = useState(open)
  if (open && !wasOpen) setWasOpen(true)
  return wasOpen || open
}
