import { mentionUrl } from '../../domain/mention/mention-url.ts'
import { html, type MarkupPart } from '../../kernel/markup.ts'
import { excerpt } from '../../kernel/text.ts'
import type { Mention } from '../../queries/mentions/mention-shape.ts'
import type { ViewFeed } from '../../queries/views/read-feed.ts'

/** Longest title of an entry, in characters. */
const TITLE_MAX = 120

/**
 * A view's mentions as an Atom feed (RFC 4287). Everything that third parties wrote is plain text, which readers show
 * as it stands, whatever markup it looks like. The only links of an entry's content are ours.
 */
export function atomFeed({ view, mentions }: ViewFeed, publicUrl: string): string {
  const updated = [view.updatedAt, ...mentions.map((mention) => mention.createdAt)].sort().at(-1)!
  const feed = html`<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:earshot:${view.id}</id><title
  type="text">${legal(view.name)}</title>${
    view.description === '' ? '' : html`<subtitle type="text">${legal(view.description)}</subtitle>`
  }<link rel="self" type="application/atom+xml"
  href="${view.feedUrl}"/><updated>${updated}</updated><generator>Earshot</generator>${mentions.map((mention) =>
    entry(mention, mentionUrl(publicUrl, mention.id)),
  )}</feed>
`
  return `<?xml version="1.0" encoding="utf-8"?>\n${feed.text}`
}

function entry({ id, post, author, keyword, classification, createdAt }: Mention, dashboardUrl: string): MarkupPart {
  const name = author?.name ?? author?.handle ?? 'Unknown'
  const title = post.title ?? (post.text === '' ? post.url : post.text.replace(/\s+/g, ' '))
  return html`<entry><id>urn:earshot:${id}</id><title type="text">${legal(excerpt(title, TITLE_MAX))}</title><link
  rel="alternate" href="${legal(post.url)}"/><link rel="related" title="Open in Earshot"
  href="${dashboardUrl}"/><published>${post.publishedAt}</published><updated>${createdAt}</updated
  ><author><name>${legal(name)}</name>${
    author?.url ? html`<uri>${legal(author.url)}</uri>` : ''
  }</author><category term="${legal(keyword.term)}"/><category term="${post.platform}"/>${
    classification?.sentiment ? html`<category term="${classification.sentiment}"/>` : ''
  }<content type="xhtml">${contentOf(post.text, dashboardUrl)}</content></entry>`
}

/** Most readers show no other link than the alternate one, so the link to the mention stands in the content too. */
function contentOf(text: string, dashboardUrl: string): MarkupPart {
  const lines = legal(text)
    .split('\n')
    .map((line, at) => html`${at > 0 && html`<br/>`}${line}`)
  return html`<div xmlns="http://www.w3.org/1999/xhtml">${text !== '' && html`<p>${lines}</p>`}<p><a
  href="${dashboardUrl}">Open in Earshot</a></p></div>`
}

/** Text without the characters that XML 1.0 cannot hold in any form. */
function legal(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removing control characters is the purpose
  return text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
}
