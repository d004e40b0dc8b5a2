import { type Place, partsOf } from './term-places.ts'

/** A text by a stranger, as text nodes only, with places marked. */
export function StrangerText({ text, places }: { text: string; places: readonly Place[] }) {
  return (
    <bdi dir="auto">
      {partsOf(text, places).map((part) =>
        part.isMarked ? <mark key={part.at}>{part.text}</mark> : <span key={part.at}>{part.text}</span>,
      )}
    </bdi>
  )
}

/** The address if a browser may open it; null for everything but http and https. */
export function safeAddress(address: string | null | undefined): string | null {
  if (!address || !URL.canParse(address)) return null
  const { protocol, href } = new URL(address)
  return protocol === 'http:' || protocol === 'https:' ? href : null
}

export const STRANGER_REL = 'noopener noreferrer nofollow ugc'
