import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { marked, type Token } from 'marked'
import { expect, test } from 'vitest'
import { slugs } from '../../src/surfaces/guide/markdown.ts'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
const PAGES = [
  'README.md',
  'models/README.md',
  ...readdirSync(join(PROJECT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join('docs', path)),
]

function read(page: string): string {
  return readFileSync(join(PROJECT, page), 'utf8')
}

/** The addresses of all links and pictures of a page. */
function targetsOf(page: string): string[] {
  const targets: string[] = []
  marked.walkTokens(marked.lexer(read(page)), (token: Token) => {
    if (token.type === 'link' || token.type === 'image') targets.push(token.href as string)
  })
  return targets
}

function anchorsOf(page: string): Set<string> {
  const slugOf = slugs()
  const anchors = new Set<string>()
  marked.walkTokens(marked.lexer(read(page)), (token: Token) => {
    if (token.type === 'heading') anchors.add(slugOf(token.text as string))
  })
  return anchors
}

/** What is wrong with a link of a page; null when it leads to a file, and to a heading if it names one. */
function problemOf(page: string, target: string): string | null {
  if (/^(https?|mailto):/.test(target)) return null
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? page : relative(PROJECT, join(PROJECT, dirname(page), path))
  if (!existsSync(join(PROJECT, file))) return `${page}: ${target} leads to no file`
  if (anchor === undefined || !file.endsWith('.md')) return null
  return anchorsOf(file).has(anchor) ? null : `${page}: ${target} leads to no heading`
}

test('every relative link leads to a file, and every anchor to a heading', () => {
  expect(PAGES.length).toBeGreaterThan(60)
  const problems = PAGES.flatMap((page) => targetsOf(page).map((target) => problemOf(page, target)))
  expect(problems.filter((problem) => problem !== null)).toEqual([])
})

test('a link to a missing file or heading is found', () => {
  expect(problemOf('README.md', 'docs/nowhere.md')).toContain('no file')
  expect(problemOf('README.md', 'docs/get-started.md#nowhere')).toContain('no heading')
})

test('every guide, and every page on how it works, is in the list of pages', () => {
  const listed = new Set(targetsOf('docs/index.md').map((target) => join('docs', target)))
  const shown = PAGES.filter((page) => /^docs\/(guides|how-it-works|generated)\//.test(page))
  expect(shown.filter((page) => !listed.has(page))).toEqual([])
})

test('the way from the README to the first delivery has one page', () => {
  expect(targetsOf('README.md')[0]).toBe('docs/get-started.md')
  const lines = read('docs/get-started.md').split('\n')
  expect(lines.length).toBeLessThan(90)
})
