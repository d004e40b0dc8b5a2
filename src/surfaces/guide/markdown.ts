import { Marked, type RendererObject, type Tokens } from 'marked'
import { Html, html } from '../../kernel/markup.ts'

export interface Section {
  /** Empty before the first heading. */
  anchor: string
  heading: string
  text: string
}

export interface RenderedMarkdown {
  title: string
  body: Html
  sections: Section[]
}

/** Null for a file that is not shown, which keeps the text. */
export type LinkResolver = (target: string) => string | null

/** Anchors like GitHub's, numbered when repeated. */
export function slugs(): (heading: string) => string {
  const seen = new Map<string, number>()
  return (heading) => {
    const slug = heading
      .toLowerCase()
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/[^\p{Letter}\p{Mark}\p{Number}\p{Connector_Punctuation}\- ]/gu, '')
      .replaceAll(' ', '-')
    const times = seen.get(slug) ?? 0
    seen.set(slug, times + 1)
    return times === 0 ? slug : `${slug}-${times}`
  }
}

/** HTML in the text is escaped and links pass `resolve`, so a page shows only what Markdown can express. */
export function renderMarkdown(text: string, resolve: LinkResolver): RenderedMarkdown {
  const slugOf = slugs()
  const sections: Section[] = [{ anchor: '', heading: '', text: '' }]
  let title = ''
  let last = { anchor: '', heading: '' }
  const renderer: RendererObject = {
    ...leaves(resolve),
    heading({ tokens, depth, text: heading }: Tokens.Heading) {
      const inner = new Html(this.parser.parseInline(tokens))
      const anchor = slugOf(heading)
      last = { anchor: depth === 1 ? '' : anchor, heading: plainText(inner.text) }
      if (depth === 1) {
        title = last.heading
        return ''
      }
      const tag = new Html(`h${Math.min(depth, 6)}`)
      const link = html`<a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a>`
      return html`<${tag} id="${anchor}">${inner} ${link}</${tag}>\n`.text
    },
  }
  const marked = new Marked({ gfm: true, renderer })
  let body = ''
  for (const token of marked.lexer(text)) {
    const rendered = marked.parser([token])
    body += rendered
    if (token.type === 'heading') sections.push({ ...last, text: '' })
    else if (token.type !== 'space' && token.type !== 'html') {
      const section = sections.at(-1)!
      section.text = `${section.text} ${plainText(rendered)}`.trim()
    }
  }
  return {
    title,
    body: new Html(body),
    sections: sections.filter((section) => section.text !== '' || section.heading !== ''),
  }
}

/** Everything that could carry HTML or a foreign address. */
function leaves(resolve: LinkResolver): RendererObject {
  return {
    html: ({ text }: Tokens.HTML | Tokens.Tag) => (text.startsWith('<!--') ? '' : html`${text}`.text),
    link({ href, tokens }: Tokens.Link) {
      const address = resolve(href)
      const inner = new Html(this.parser.parseInline(tokens))
      return address === null ? inner.text : html`<a href="${address}">${inner}</a>`.text
    },
    image({ href, text }: Tokens.Image) {
      const address = resolve(href)
      return address === null ? html`${text}`.text : html`<img src="${address}" alt="${text}">`.text
    },
    code: ({ text }: Tokens.Code) => html`<pre tabindex="0"><code>${text}</code></pre>\n`.text,
    table(token: Tokens.Table) {
      const row = (cells: readonly Tokens.TableCell[], tag: string) =>
        `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`
      const rows = token.rows.map((cells) => row(cells, 'td')).join('\n')
      const table = `<table><thead>${row(token.header, 'th')}</thead><tbody>${rows}</tbody></table>`
      return `<div class="table" tabindex="0">${table}</div>\n`
    },
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

function plainText(markup: string): string {
  return markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name]!)
    .replace(/\s+/g, ' ')
    .trim()
}
