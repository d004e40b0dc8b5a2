import { html, type MarkupPart } from '../../kernel/markup.ts'
import { excerpt } from '../../kernel/text.ts'
import type { Mention } from '../../queries/mentions/mention-shape.ts'
import type { ViewFeed } from '../../queries/views/read-feed.ts'

/** Longest title of an entry, in characters. */
const TITLE_MAX = 120

/**
 * A view's mentions as an Atom feed (RFC 4287). Everything that third parties wrote is plain text, which readers show
 * as it stands, whatever markup it looks like.
 */
export function atomFeed({ view, mentions }: ViewFeed): string {
  const updated = [view.updatedAt, ...mentions.map((mention) => mention.createdAt)].sort().at(-1)!
  const feed = html`<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:earshot:${view.id}</id><title
  type="text">${legal(view.name)}</title>${
    view.description === '' ? '' : html`<subtitle type="text">${legal(view.description)}</subtitle>`
  }<link rel="self" type="application/atom+xml"
  href="${view.feedUrl}"/><updated>${updated}</updated><generator>Earshot</generator>${mentions.map(entry)}</feed>
`
  return `<?xml version="1.0" encoding="utf-8"?>\n${feed.text}`
}

function entry({ id, post, author, keyword, classification, createdAt }: Mention): MarkupPart {
  const name = author?.name ?? author?.handle ?? 'Unknown'
  const title = post.title ?? (post.text === '' ? post.url : post.text.replace(/\s+/g, ' '))
  return html`<entry><id>urn:earshot:${id}</id><title type="text">${legal(excerpt(title, TITLE_MAX))}</title><link
  rel="alternate" href="${legal(post.url)}"/><published>${post.publishedAt}</published><updated>${createdAt}</updated
  ><author><name>${legal(name)}</name>${
    author?.url ? html`<uri>${legal(author.url)}</uri>` : ''
  }</author><category term="${legal(keyword.term)}"/><category term="${post.platform}"/>${
    classification?.sentiment ? html`<category term="${classification.sentiment}"/>` : ''
  }<content type="text">${legal(post.text)}</content></entry>`
}

/** Text without the characters that XML 1.0 cannot hold in any form. */
function legal(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removing control characters is the purpose
  return text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
}
