import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { type RenderedMarkdown, renderMarkdown } from './markdown.ts'

export interface Chapter {
  title: string
  pages: { address: string; title: string }[]
}

export interface SearchHit {
  address: string
  page: string
  heading: string
  excerpt: string
}

/** Most words of a query. */
const WORD_LIMIT = 8
const HIT_LIMIT = 30
const EXCERPT_LENGTH = 220

const PICTURE_TYPES: ReadonlyMap<string, string> = new Map([
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
])

/** Guides rank before reference pages. */
const FIRST = /^(get-started|guides\/)/
/** Excluded from the search. */
const UNSEARCHED = /^notebook\//

/** Markdown pages of a folder, rendered on first request and cached. */
export class Library {
  readonly #folder: string
  #files: ReadonlySet<string> | null = null
  readonly #rendered = new Map<string, RenderedMarkdown>()
  #chapters: Chapter[] | null = null
  #index: IndexedSection[] | null = null

  constructor(folder: string) {
    this.#folder = folder
  }

  get #names(): ReadonlySet<string> {
    this.#files ??= filesIn(this.#folder)
    return this.#files
  }

  names(): string[] {
    return [...this.#names].filter((name) => name.endsWith('.md')).map((name) => name.slice(0, -'.md'.length))
  }

  page(name: string): RenderedMarkdown | null {
    const file = `${name}.md`
    if (!this.#names.has(file)) return null
    const known = this.#rendered.get(name)
    if (known !== undefined) return known
    const page = renderMarkdown(readFileSync(join(this.#folder, file), 'utf8'), (target) => this.#resolve(file, target))
    this.#rendered.set(name, page)
    return page
  }

  /** The page as it is written; null without such a page. */
  source(name: string): string | null {
    return this.#names.has(`${name}.md`) ? readFileSync(join(this.#folder, `${name}.md`), 'utf8') : null
  }

  /** Null without such a picture. */
  picture(name: string): { type: string; content: Buffer } | null {
    const type = PICTURE_TYPES.get(posix.extname(name))
    return type !== undefined && this.#names.has(name)
      ? { type, content: readFileSync(join(this.#folder, name)) }
      : null
  }

  /** From the headings and links of index.md. */
  chapters(): readonly Chapter[] {
    this.#chapters ??= this.#readChapters()
    return this.#chapters
  }

  /** Sections that contain every word, best first. */
  search(query: string): SearchHit[] {
    const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])].slice(0, WORD_LIMIT)
    if (words.length === 0) return []
    this.#index ??= this.#readIndex()
    return this.#index
      .map((section) => ({ section, score: scoreOf(section, words) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, HIT_LIMIT)
      .map(({ section }) => hitOf(section, words))
  }

  #readChapters(): Chapter[] {
    const chapters: Chapter[] = []
    if (!this.#names.has('index.md')) return chapters
    for (const line of readFileSync(join(this.#folder, 'index.md'), 'utf8').split('\n')) {
      if (line.startsWith('## ')) chapters.push({ title: line.slice(3), pages: [] })
      for (const [, title = '', target = ''] of line.matchAll(/\[([^\]]+)\]\(([^)]+\.md)\)/g))
        chapters.at(-1)?.pages.push({ address: `/guide/${target.slice(0, -'.md'.length)}`, title: capitalised(title) })
    }
    return chapters
  }

  #readIndex(): IndexedSection[] {
    return this.names()
      .filter((name) => !UNSEARCHED.test(name))
      .flatMap((name) => {
        const { title, sections } = this.page(name)!
        return sections.map(({ anchor, heading, text }) => ({
          address: anchor === '' ? `/guide/${name}` : `/guide/${name}#${anchor}`,
          page: title,
          heading,
          text,
          lowerHeading: heading.toLowerCase(),
          lowerPage: title.toLowerCase(),
          lowerText: text.toLowerCase(),
          weight: FIRST.test(name) ? 2 : 1,
        }))
      })
  }

  /** Files outside the documentation have no address. */
  #resolve(from: string, target: string): string | null {
    if (/^https?:\/\//.test(target) || target.startsWith('#')) return target
    const [path = '', anchor] = target.split('#')
    const file = posix.join(posix.dirname(from), path)
    if (file === 'generated/openapi.json') return '/v1/openapi.json'
    if (!this.#names.has(file)) return null
    const address = `/guide/${file.endsWith('.md') ? file.slice(0, -'.md'.length) : file}`
    return anchor === undefined ? address : `${address}#${anchor}`
  }
}

/** Empty when the installation has no documentation. */
function filesIn(folder: string): Set<string> {
  if (!existsSync(folder)) return new Set()
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return new Set(paths.map((path) => path.replaceAll('\\', '/')).filter((path) => /\.(md|svg|png)$/.test(path)))
}

interface IndexedSection extends SearchSection {
  lowerHeading: string
  lowerPage: string
  lowerText: string
  weight: number
}

interface SearchSection {
  address: string
  page: string
  heading: string
  text: string
}

/** 0 unless every word occurs. Headings count more. */
/** The heading of the section says more than the title of its page, which all its sections share. */
function scoreOf({ lowerHeading, lowerPage, lowerText, weight }: IndexedSection, words: readonly string[]): number {
  let score = 0
  for (const word of words) {
    const inHeading = lowerHeading.includes(word)
    const inPage = lowerPage.includes(word)
    const inText = lowerText.includes(word)
    if (!inHeading && !inPage && !inText) return 0
    score += (inHeading ? 4 : 0) + (inPage ? 2 : 0) + (inText ? 1 : 0)
  }
  return score * weight
}

function hitOf({ address, page, heading, text, lowerText }: IndexedSection, words: readonly string[]): SearchHit {
  const places = words.map((word) => lowerText.indexOf(word)).filter((at) => at >= 0)
  const first = Math.max(0, Math.min(...places, text.length) - EXCERPT_LENGTH / 3)
  const from = places.length === 0 ? 0 : Math.max(0, text.lastIndexOf(' ', first) + 1)
  const excerpt = text.slice(from, from + EXCERPT_LENGTH)
  const cut = from + EXCERPT_LENGTH < text.length
  return { address, page, heading, excerpt: `${from > 0 ? '… ' : ''}${excerpt}${cut ? ' …' : ''}` }
}

function capitalised(title: string): string {
  return title.charAt(0).toUpperCase() + title.slice(1)
}
