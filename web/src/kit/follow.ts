import type { MouseEvent } from 'react'

/** Goes to an address of the application without a new page. */
export type Navigate = (href: string) => void

/** Follows a link by `navigate`, unless the person asks the browser for a new tab or window, or for the file. */
export function followBy(navigate: Navigate | undefined) {
  if (!navigate) return undefined
  return (event: MouseEvent<HTMLAnchorElement>) => {
    const special = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0
    if (special || event.defaultPrevented) return
    event.preventDefault()
    navigate(event.currentTarget.getAttribute('href')!)
  }
}
