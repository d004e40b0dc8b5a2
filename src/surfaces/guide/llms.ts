import { posix } from 'node:path'
import type { Library } from './library.ts'

const ABOUT =
  '> Self-hosted social listening. Earshot collects posts from social and developer platforms, matches them against ' +
  'keywords, scores them, and delivers mentions by webhook, Slack, Telegram and e-mail. Almost every operation of ' +
  'the REST API is also a tool for AI clients.'

/** What every page of the guide is about, in the form of llmstxt.org. */
export function listOfPages(library: Library, publicUrl: string): string {
  const index = library.source('index') ?? ''
  const chapters = index.slice(Math.max(0, index.indexOf('\n## ')))
  return [
    '# Earshot',
    '',
    ABOUT,
    '',
    '## Interfaces',
    '',
    `- [OpenAPI document](${publicUrl}/v1/openapi.json): every operation with its fields, without a credential.`,
    `- Tool server (MCP): ${publicUrl}/mcp. Sign in with OAuth, or send a key as \`Authorization: Bearer ref_...\`.`,
    `- [Guides and API reference in one file](${publicUrl}/llms-full.txt): also the glossary, as Markdown.`,
    absoluteLinks(chapters.replace('## For contributors', '## Optional'), 'index', publicUrl),
  ].join('\n')
}

/** Reference pages that a caller of the API needs; the others are for operators. */
const REFERENCE = ['generated/operations', 'generated/errors', 'generated/states', 'generated/delivery-states']

/** The guides, the glossary and the reference of the API as one Markdown text. */
export function guidesAndReference(library: Library, publicUrl: string): string {
  const names = library
    .names()
    .filter((name) => name === 'get-started' || name.startsWith('guides/'))
    .sort()
  const pages = [...names, 'glossary', ...REFERENCE].flatMap((name) => {
    const source = library.source(name)
    return source === null ? [] : [`Source: ${publicUrl}/guide/${name}\n\n${absoluteLinks(source, name, publicUrl)}`]
  })
  return [`# Earshot\n\n${ABOUT}\n`, ...pages].join('\n---\n\n')
}

/** Links between pages, which stand relative in the files. A file without an address stays as its label. */
function absoluteLinks(markdown: string, name: string, publicUrl: string): string {
  return markdown.replace(/\[([^\]]*)\]\((?!\w+:|#|\/)([^)\s]+)\)/g, (_, label: string, target: string) => {
    const [path = '', anchor] = target.split('#')
    const file = posix.join(posix.dirname(name), path)
    if (file === 'generated/openapi.json') return `[${label}](${publicUrl}/v1/openapi.json)`
    if (!/\.(md|svg|png)$/.test(file) || file.startsWith('..')) return label
    return `[${label}](${publicUrl}/guide/${file}${anchor === undefined ? '' : `#${anchor}`})`
  })
}
