import { webLink } from '../app/web-link.ts'

/** Text by a stranger. */
export function Stranger({ text }: { text: string }) {
  return <bdi dir="auto">{text}</bdi>
}

/** A link by a stranger; nothing where a browser should not open it. */
export function StrangerLink({ url, text }: { url: string; text: string }) {
  const address = webLink(url)
  if (address === null) return null
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow ugc">
      {text}
    </a>
  )
}
