import { readWordList } from '../../kernel/word-list.ts'
import { type HtmlText, htmlToText } from '../html-text.ts'

/** Texts are cut to this many UTF-16 units first: what is kept of a post is far shorter. */
const MARKDOWN_UNITS = 65_536
/** Mark-up that the platform renders. Anything else in angle brackets was meant as text, such as `List<Thing>`. */
const RENDERED = new Set(readWordList('sources/github/rendered-tags'))
/** Stand around the number of a piece of code while the marks around it are read. Nobody writes these characters. */
const [CODE_BEGINS, CODE_ENDS] = ['\uE000', '\uE001']
/** What stands between brackets: words, marks, and brackets once more, as a picture in a link has them. */
const BRACKETED = /\[((?:[^[\]]|\[[^[\]]{0,200}\]){0,300})\]/y
const TITLE = String.raw`(?:\s{1,4}(?:"[^"]{0,500}"|'[^']{0,500}'|\([^()]{0,500}\)))?`
const TARGET = new RegExp(
  String.raw`\(\s{0,4}((?:[^\s()<>${CODE_BEGINS}]|\([^\s()<>]{0,200}\)){1,2048})${TITLE}\s{0,4}\)`,
  'y',
)
const LABEL = /\[([^[\]]{0,200})\]/y
/**
 * A target that links elsewhere in the text name. A label that begins with ^ belongs to a footnote, which the page
 * shows.
 */
const DEFINITION = new RegExp(
  String.raw`^ {0,3}\[([^[\]^][^[\]]{0,199})\]:\s{1,20}<?([^\s<>]{1,2048})>?${TITLE}\s{0,20}$`,
)
const CODE = new RegExp(`${CODE_BEGINS}(\\d{1,6})${CODE_ENDS}`, 'g')
const STARRED = /(\*{1,3})(?=\S)([^*]{1,500})(?<=\S)\1/g
const UNDERSCORED = /(?<![\p{L}\p{N}_])(_{1,3})(?=\S)([^_]{1,500})(?<=\S)\1(?![\p{L}\p{N}_])/gu
const STRUCK = /~~(?=\S)([^~]{1,500})(?<=\S)~~/g
const ADDRESS = /https?:\/\/[^\s<>"'`|\\]{1,2048}/g

/**
 * Markdown as the platform shows it, as plain text: marks of emphasis, headings and code gone, comments gone, line
 * breaks kept. The text goes through a small translation into HTML, because people mix both. Links hold written
 * addresses too.
 */
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
/** Addresses by the labels that stand for them. */
type Targets = ReadonlyMap<string, string>

/** Line by line; what a label stands for may be said below it, so the definitions are gathered first. */
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

/**
 * A fence opens and closes code; one line of backticks with code between them is no fence. A definition stands in no
 * paragraph.
 */
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

/** A line across, or the one between the head of a table and its rows. */
function isRule(text: string): boolean {
  return (
    /^(?:-{3,}|\*{3,}|_{3,}|={3,})$/.test(text) ||
    (/^[\s:|-]{3,}$/.test(text) && text.includes('|') && text.includes('-'))
  )
}

/** Code between backticks is kept as it is, wherever it stands; the rest loses its marks. */
function inline(line: string, targets: Targets): string {
  let text = ''
  let from = 0
  const pieces: string[] = []
  const unclosed = new Set<number>()
  // A backslash takes the character behind it along, so that a backtick behind one opens nothing.
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

/** Where a run of exactly so many backticks begins; -1 when there is none. */
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
  // Addresses and tags are full of underscores that are no marks, so only what stands between them is read.
  return anchored
    .split(/(<[^<>]*>|https?:\/\/[^\s<>]+)/)
    .map((part, at) => (at % 2 === 1 ? part : unmarked(part)))
    .join('')
}

/**
 * Links and pictures as mark-up, whose targets nobody sees; other brackets stay. What a link shows may hold a picture.
 */
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

/** The address that a link leads to, and where the link ends; null when the brackets are no link. */
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

/** A mark behind a backslash is a character like others, and is written so that nothing below takes it for a mark. */
function unescaped(text: string): string {
  return text.replace(/\\([!-/:-@[-`{-~])/g, (_, mark: string) => `&#${mark.charCodeAt(0)};`)
}

function unmarked(text: string): string {
  return text.replace(STARRED, '$2').replace(UNDERSCORED, '$2').replace(STRUCK, '$1')
}

/** Angle brackets that begin no known mark-up become text; an address between them becomes a link. */
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

/** Punctuation at the end belongs to the sentence, as does a closing bracket that was not opened in the address. */
function withoutTail(address: string): string {
  let end = address.length
  let unopened = address.split(')').length - address.split('(').length
  while (end > 0 && /[.,;:!?*_~\]})]/.test(address[end - 1]!)) {
    if (address[end - 1] === ')' && unopened-- <= 0) break
    end -= 1
  }
  return address.slice(0, end)
}
