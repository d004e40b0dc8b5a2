import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { marked, type Token } from 'marked'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
/** The notebook is a diary, and pages that are generated are judged by the texts that they are made of. */
const UNJUDGED = /^docs\/(notebook|generated)\//

/** A piece of prose, such as a paragraph, a cell of a table, or a description of the API. */
export interface Text {
  /** A file, with what part of it. */
  place: string
  file: string
  text: string
}

/** All prose that is judged: the README, the pages, the descriptions of the API, and the messages of the log. */
export function allTexts(): Text[] {
  const pages = readdirSync(join(PROJECT, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((path) => `docs/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.md') && !UNJUDGED.test(path))
    .sort()
  return [
    ...['README.md', ...pages].flatMap((file) => textsOfPage(file, read(file))),
    ...textsOfApi(JSON.parse(read('docs/generated/openapi.json'))),
    ...textsOfEvents(read('docs/generated/events.md')),
  ]
}

/** Paragraphs, items and cells of a page, without code and without examples of bad style. */
export function textsOfPage(file: string, markdown: string): Text[] {
  let heading = ''
  return marked.lexer(markdown).flatMap((token) => {
    if (token.type === 'heading') heading = token.text as string
    const place = heading === '' ? file : `${file}, ${heading}`
    return piecesOf(token).map((text) => ({ place, file, text }))
  })
}

/** The pieces of prose in a block: a paragraph, or each item of a list and each cell of a table. */
function piecesOf(token: Token): string[] {
  if (token.type === 'paragraph' || token.type === 'text')
    return [plain(token.tokens ?? [])].filter((text) => text !== '')
  if (token.type === 'list')
    return (token.items as { tokens: Token[] }[]).flatMap(({ tokens }) => tokens.flatMap(piecesOf))
  if (token.type === 'blockquote') return (token.tokens ?? []).flatMap(piecesOf)
  if (token.type !== 'table' || isAboutWords(token.header as { text: string }[])) return []
  const cells = (token.rows as { tokens: Token[] }[][]).flat()
  return cells.map(({ tokens }) => plain(tokens)).filter((text) => text !== '')
}

/** Tables of bad examples and of former words hold what the rules forbid. */
function isAboutWords(header: readonly { text: string }[]): boolean {
  return header.some(({ text }) => text === 'Bad' || text === 'Formerly')
}

/** A piece of code counts as one word, a link as its text. */
function plain(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'codespan') return '`code`'
      if (token.type === 'image' || token.type === 'html') return ''
      if ('tokens' in token && token.tokens) return plain(token.tokens)
      return token.type === 'br' ? ' ' : ((token as { text?: string }).text ?? '')
    })
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Every summary and description of the API, each once. */
export function textsOfApi(document: unknown, file = 'docs/generated/openapi.json'): Text[] {
  const texts: Text[] = []
  const seen = new Set<string>()
  const visit = (value: unknown, path: string) => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, inner] of Object.entries(value)) {
      const isText = (name === 'description' || name === 'summary') && typeof inner === 'string'
      if (!isText) visit(inner, `${path}/${name}`)
      else if (!seen.has(inner)) {
        seen.add(inner)
        for (const { text } of textsOfPage(file, inner)) texts.push({ place: `${file} ${path}`, file, text })
      }
    }
  }
  visit(document, '')
  return texts
}

/** The messages of log events, from the table of their page. */
function textsOfEvents(markdown: string): Text[] {
  const file = 'docs/generated/events.md'
  return [...markdown.matchAll(/^\| `([\w.]+)` \| [\w, ]+ \| ([^|]*) \|/gm)].map(([, event = '', text = '']) => ({
    place: `${file} ${event}`,
    file,
    text,
  }))
}

function read(path: string): string {
  return readFileSync(join(PROJECT, path), 'utf8')
}
