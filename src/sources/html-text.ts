import { load } from 'cheerio'
import { readWordList } from '../kernel/word-list.ts'

export interface HtmlText {
  text: string
  links: string[]
  images: string[]
}

export interface HtmlOptions {
  /** Classes of links that are text and no addresses, such as hashtags. */
  unlisted?: ReadonlySet<string>
}

const NO_CLASSES: ReadonlySet<string> = new Set()
/** Longer than the stored text of any post. */
const HTML_UNITS = 65_536
const PARAGRAPHS = new Set(readWordList('sources/html-paragraphs'))
const LINES = new Set(['br', 'li', 'tr', 'hr', 'dt', 'dd'])
/** Adjacent elements whose words are separate. */
const APART = new Set(['td', 'th', 'option', 'button', 'label'])
const UNREAD = new Set(['script', 'style', 'template', 'noscript', 'head', 'title'])

type HtmlNode = {
  type: string
  name?: string
  data?: string
  attribs?: Record<string, string>
  children?: HtmlNode[]
  next?: HtmlNode | null
}
type Step = { node: HtmlNode; preformatted: boolean } | { after: string }

/**
 * Collapses white space like a browser. A shortened address ("https://example.com/a-lo...") becomes the whole one, so
 * that it can be searched. Foreign mark-up may nest deeper than the call stack allows, so the stack is explicit.
 */
export function htmlToText(html: string, { unlisted = NO_CLASSES }: HtmlOptions = {}): HtmlText {
  const found: HtmlText = { text: '', links: [], images: [] }
  const out = writer()
  const root = load(
    html.slice(0, HTML_UNITS),
    { xml: { xmlMode: false, decodeEntities: true } },
    false,
  ).root()[0] as unknown as HtmlNode
  const steps: Step[] = [{ node: root, preformatted: false }]
  for (let step = steps.pop(); step; step = steps.pop()) {
    if ('after' in step) out.gap(step.after)
    else visit(step.node, step.preformatted, steps, { out, found, unlisted })
  }
  found.text = out.text()
  return found
}

interface Reading {
  out: Writer
  found: HtmlText
  unlisted: ReadonlySet<string>
}

function visit(node: HtmlNode, preformatted: boolean, steps: Step[], { out, found, unlisted }: Reading): void {
  if (node.type === 'text') {
    out.write(node.data ?? '', preformatted)
    return
  }
  const name = node.name ?? ''
  if (UNREAD.has(name)) return
  if (name === 'img' && node.attribs?.['src']) found.images.push(node.attribs['src'])
  const href = name === 'a' ? node.attribs?.['href'] : undefined
  if (href) {
    if (!classesOf(node).some((name) => unlisted.has(name))) found.links.push(href)
    if (standsFor(shownIn(node), href)) {
      out.write(href, true)
      return
    }
  }
  const gap = gapAround(name)
  if (gap) {
    out.gap(gap)
    steps.push({ after: gap === '\n' ? '' : gap })
  }
  for (const child of [...(node.children ?? [])].reverse())
    steps.push({ node: child, preformatted: preformatted || name === 'pre' })
}

function classesOf({ attribs }: HtmlNode): string[] {
  return attribs?.['class']?.split(/\s+/) ?? []
}

/** None behind an element that only begins a line. */
function gapAround(name: string): string {
  if (PARAGRAPHS.has(name)) return '\n\n'
  if (LINES.has(name)) return '\n'
  return APART.has(name) ? ' ' : ''
}

/** Null for links around other elements. */
function shownIn(link: HtmlNode): string | null {
  const [only, ...others] = link.children ?? []
  return only?.type === 'text' && others.length === 0 ? (only.data ?? '') : null
}

/** With or without scheme, before an ellipsis. */
function standsFor(shown: string | null, href: string): boolean {
  const start = shown?.trim().replace(/(?:\.{3}|…)$/, '') ?? ''
  if (start.length < 4 || start === shown?.trim()) return false
  return href.startsWith(start) || href.replace(/^https?:\/\/(?:www\.)?/i, '').startsWith(start.replace(/^www\./i, ''))
}

type Writer = ReturnType<typeof writer>

function writer() {
  let text = ''
  let pending = ''
  return {
    gap(gap: string): void {
      if (gap.length > pending.length || (pending === ' ' && gap !== '')) pending = gap
    },
    write(data: string, preformatted: boolean): void {
      const shown = preformatted ? data : data.replace(/[ \t\r\n\f]+/g, ' ')
      const body = preformatted || !shown.startsWith(' ') ? shown : shown.slice(1)
      if (pending === '' && body !== shown) pending = ' '
      if (body === '') return
      const trailing = !preformatted && body.endsWith(' ')
      if (text !== '') text += pending
      text += trailing ? body.slice(0, -1) : body
      pending = trailing ? ' ' : ''
    },
    text: () => text,
  }
}
