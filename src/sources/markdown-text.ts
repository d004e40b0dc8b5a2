import { readWordList } from '../kernel/word-list.ts'
import { type HtmlText, htmlToText } from './html-text.ts'

/** UTF-16 units read; longer than the stored text of any post. */
const MARKDOWN_UNITS = 65_536
/** Other angle brackets are text, such as `List<Thing>`. */
const RENDERED = new Set(readWordList('sources/rendered-tags'))
/** Enclose the number of a code span while marks are read. Private-use characters do not occur in texts. */
const [CODE_BEGINS, CODE_ENDS] = ['\uE000', '\uE001']
/** One nested pair, as with a picture in a link. */
const BRACKETED = /\[((?:[^[\]]|\[[^[\]]{0,200}\]){0,300})\]/y
const TITLE = String.raw`(?:\s{1,4}(?:"[^"]{0,500}"|'[^']{0,500}'|\([^()]{0,500}\)))?`
const TARGET = new RegExp(
  String.raw`\(\s{0,4}((?:[^\s()<>${CODE_BEGINS}]|\([^\s()<>]{0,200}\)){1,2048})${TITLE}\s{0,4}\)`,
  'y',
)
const LABEL = /\[([^[\]]{0,200})\]/y
/** A link definition. A label with ^ is a footnote, which the page shows. */
const DEFINITION = new RegExp(
  String.raw`^ {0,3}\[([^[\]^][^[\]]{0,199})\]:\s{1,20}<?([^\s<>]{1,2048})>?${TITLE}\s{0,20}$`,
)
const CODE = new RegExp(`${CODE_BEGINS}(\\d{1,6})${CODE_ENDS}`, 'g')
const STARRED = /(\*{1,3})(?=\S)([^*]{1,500})(?<=\S)\1/g
const UNDERSCORED = /(?<![\p{L}\p{N}_])(_{1,3})(?=\S)([^_]{1,500})(?<=\S)\1(?![\p{L}\p{N}_])/gu
const STRUCK = /~~(?=\S)([^~]{1,500})(?<=\S)~~/g
const ADDRESS = /https?:\/\/[^\s<>"'`|\\]{1,2048}/g

/** Converts Markdown to HTML first, because people mix both. Drops marks and comments, and keeps line breaks. */
export function markdownToText(markdown: string): HtmlText {
  const found = htmlToText(
    toHtml(
      markdown
        .slice(0, MARKDOWN_UNITS)
        .replace(/\r\n?/g, '\n')
        .replace(/[\uE000\uE001]/g, ''),
    ),
  )
  const written = [...found.text.matchAll(ADDRESS)].map(([address]) => withoutTail(address))
  return { ...found, links: [...new Set([...found.links, ...written])] }
}

type Line = { line: string; is: 'text' | 'opening' | 'code' | 'closing' | 'definition' }
type Targets = ReadonlyMap<string, string>

/** Definitions are collected first, because they may follow their use. */
function toHtml(markdown: string): string {
  const lines = linesOf(markdown)
  const targets = targetsIn(lines)
  const html: string[] = []
  let gap = ''
  for (const { line, is } of lines) {
    if (is === 'text') html.push(lineToHtml(line, targets))
    else if (is === 'opening') html.push('<pre>')
    else if (is === 'closing') html.push('</pre>')
    else if (is === 'code') html.push(`${gap}${escaped(line)}`)
    gap = is === 'code' ? '\n' : ''
  }
  return html.join('')
}

/** A line of backticks around code is no fence. A definition cannot interrupt a paragraph. */
function linesOf(markdown: string): Line[] {
  const lines: Line[] = []
  let fence: string | null = null
  let inParagraph = false
  for (const line of markdown.split('\n')) {
    const mark = line.trimStart().match(/^(`{3,}(?=[^`]*$)|~{3,})/)?.[1] ?? null
    const closes: boolean = fence !== null && mark?.startsWith(fence) === true && line.trim() === mark
    const defines = fence === null && mark === null && !inParagraph && DEFINITION.test(line)
    const plain = defines ? 'definition' : 'text'
    if (fence !== null) lines.push({ line, is: closes ? 'closing' : 'code' })
    else lines.push({ line, is: mark !== null ? 'opening' : plain })
    if (fence === null) fence = mark
    else if (closes) fence = null
    inParagraph = lines.at(-1)!.is === 'text' && !isGap(line.trim()) && !HEADING.test(line.trim())
  }
  return lines
}

/** The first definition of a label counts. */
function targetsIn(lines: readonly Line[]): Targets {
  const targets = new Map<string, string>()
  for (const { line, is } of lines) {
    const [, label = '', target = ''] = (is === 'definition' && line.match(DEFINITION)) || []
    if (target !== '' && !targets.has(labelOf(label))) targets.set(labelOf(label), target.replaceAll('&', '&amp;'))
  }
  return targets
}

const labelOf = (label: string): string => label.trim().replace(/\s+/g, ' ').toLowerCase()
const HEADING = /^#{1,6}\s+(.*)$/

function lineToHtml(line: string, targets: Targets): string {
  const text = line.trim()
  if (isGap(text)) return '<p></p>'
  const heading = text.match(HEADING)?.[1]
  return heading === undefined ? `${inline(line.trimEnd(), targets)}<br>` : `<p></p>${inline(heading, targets)}<p></p>`
}

function isGap(text: string): boolean {
  return text === '' || isRule(text)
}

/** A thematic break or a table's delimiter row. */
function isRule(text: string): boolean {
  return (
    /^(?:-{3,}|\*{3,}|_{3,}|={3,})$/.test(text) ||
    (/^[\s:|-]{3,}$/.test(text) && text.includes('|') && text.includes('-'))
  )
}

/** Code spans stay as they are. */
function inline(line: string, targets: Targets): string {
  let text = ''
  let from = 0
  const pieces: string[] = []
  const unclosed = new Set<number>()
  // An escaped backtick opens nothing.
  for (const { 0: ticks, index } of line.matchAll(/\\.|`+/g)) {
    if (index < from || ticks.startsWith('\\') || unclosed.has(ticks.length)) continue
    const end = closingTicks(line, ticks.length, index + ticks.length)
    if (end === -1) {
      unclosed.add(ticks.length)
      continue
    }
    text += `${line.slice(from, index)}${CODE_BEGINS}${pieces.length}${CODE_ENDS}`
    pieces.push(`<code>${escaped(line.slice(index + ticks.length, end))}</code>`)
    from = end + ticks.length
  }
  return marked(text + line.slice(from), targets).replace(CODE, (_, piece: string) => pieces[Number(piece)] ?? '')
}

/** -1 if no run has exactly this length. */
function closingTicks(line: string, length: number, from: number): number {
  for (let at = line.indexOf('`', from); at !== -1; ) {
    let end = at
    while (line[end] === '`') end += 1
    if (end - at === length) return at
    at = line.indexOf('`', end)
  }
  return -1
}

function marked(text: string, targets: Targets): string {
  const ready = unescaped(text)
    .replace(/&(?!#?\w{1,31};)/g, '&amp;')
    .replace(/\]\(\s{0,4}<([^\s<>()]{1,2048})>/g, ']($1')
  const anchored = linked(onlyRendered(ready), targets)
  // Underscores in addresses and tags are no marks.
  return anchored
    .split(/(<[^<>]*>|https?:\/\/[^\s<>]+)/)
    .map((part, at) => (at % 2 === 1 ? part : unmarked(part)))
    .join('')
}

/** A link may contain a picture. */
function linked(text: string, targets: Targets): string {
  let html = ''
  let from = 0
  for (let open = text.indexOf('['); open !== -1; open = text.indexOf('[', from)) {
    html += text.slice(from, open)
    const shown = matchAt(BRACKETED, text, open)
    const link = shown && targetBehind(text, open + shown[0].length, shown[1] ?? '', targets)
    from = link ? link.end : open + 1
    if (!link) html += '['
    else if (html.endsWith('!')) html = `${html.slice(0, -1)}<img src="${attribute(link.target)}">`
    else html += `<a href="${attribute(link.target)}">${linked(shown[1] ?? '', targets)}</a>`
  }
  return html + text.slice(from)
}

/** Null if the brackets are no link. */
function targetBehind(
  text: string,
  end: number,
  shown: string,
  targets: Targets,
): { target: string; end: number } | null {
  const written = matchAt(TARGET, text, end)
  if (written) return { target: written[1] ?? '', end: end + written[0].length }
  if (targets.size === 0) return null
  const label = matchAt(LABEL, text, end)
  const named = label && targets.get(labelOf(label[1] || shown))
  if (named) return { target: named, end: end + label[0].length }
  const target = targets.get(labelOf(shown))
  return target === undefined ? null : { target, end }
}

function matchAt(sticky: RegExp, text: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at
  return sticky.exec(text)
}

/** Character references keep escaped marks from the later steps. */
function unescaped(text: string): string {
  return text.replace(/\\([!-/:-@[-`{-~])/g, (_, mark: string) => `&#${mark.charCodeAt(0)};`)
}

function unmarked(text: string): string {
  return text.replace(STARRED, '$2').replace(UNDERSCORED, '$2').replace(STRUCK, '$1')
}

/** Addresses become links. */
function onlyRendered(text: string): string {
  return text.replace(
    /<(https?:\/\/[^\s<>]{1,2048})>|<(?!!--)(?:\/?([a-z][a-z0-9]{0,15})(?=[\s/>]))?/gi,
    (whole, address?: string, name?: string) => {
      if (address !== undefined) return `<a href="${attribute(address)}">${address}</a>`
      return name !== undefined && RENDERED.has(name.toLowerCase()) ? whole : `&lt;${whole.slice(1)}`
    },
  )
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const attribute = (text: string): string => text.replaceAll('"', '&quot;')

/** Punctuation and an unopened closing bracket belong to the sentence. */
function withoutTail(address: string): string {
  let end = address.length
  let unopened = address.split(')').length - address.split('(').length
  while (end > 0 && /[.,;:!?*_~\]})]/.test(address[end - 1]!)) {
    if (address[end - 1] === ')' && unopened-- <= 0) break
    end -= 1
  }
  return address.slice(0, end)
}
