import type { ReactNode } from 'react'
import { STRANGER_REL, safeAddress } from './safe-address.ts'
import { type Place, partsOf } from './term-places.ts'

/** A text by a stranger, as text nodes only, with places marked. */
export function StrangerText({ text, places = [] }: { text: string; places?: readonly Place[] | undefined }) {
  return (
    <bdi dir="auto">
      {partsOf(text, places).map((part) =>
        part.isMarked ? <mark key={part.at}>{part.text}</mark> : <span key={part.at}>{part.text}</span>,
      )}
    </bdi>
  )
}

interface StrangerLinkProps {
  address: string | null | undefined
  className?: string | undefined
  children: ReactNode
  /** Stands where a browser should not open the address. */
  instead?: ReactNode
}

/** A link to an address by a stranger. */
export function StrangerLink({ address, className, children, instead = null }: StrangerLinkProps) {
  const href = safeAddress(address)
  if (href === null) return instead
  return (
    <a className={className} href={href} target="_blank" rel={STRANGER_REL}>
      {children}
    </a>
  )
}
