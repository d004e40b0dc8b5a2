const SAFE = ['http:', 'https:']

/** Text by a stranger. */
export function Stranger({ text }: { text: string }) {
  return <bdi dir="auto">{text}</bdi>
}

/** A link by a stranger; plain text where a browser should not open it. */
export function StrangerLink({ url, text }: { url: string; text: string }) {
  if (!URL.canParse(url) || !SAFE.includes(new URL(url).protocol)) return null
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow ugc">
      {text}
    </a>
  )
}
