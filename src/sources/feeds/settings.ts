import { readFileSync } from 'node:fs'
import { parseOpml } from 'feedsmith'
import { z } from 'zod'
import { platformOfFeed } from '../../domain/platform/platforms.ts'
import type { SettingsTable } from '../../kernel/settings.ts'
import { placeAddress } from '../place-address.ts'

const MOST_NAMED = 500

const addresses = z.string().transform((text, context) => namedIn(text.split(/\s+/), context))

const addressesInFile = z.string().transform((path, context) => {
  const text = textOf(path)
  if (text === null) {
    context.addIssue({ code: 'custom', message: 'names a file that cannot be read' })
    return z.NEVER
  }
  const entries = /^\s*(?:<\?xml|<opml)/i.test(text) ? opmlAddresses(text) : listedAddresses(text)
  return namedIn(entries, context)
})

export const SETTINGS = {
  FEEDS_URLS: {
    meaning: 'Feeds that are read for every workspace, besides those that workspaces name.',
    form: 'addresses separated by white space',
    fallback: 'none',
    schema: addresses,
  },
  FEEDS_FILE: {
    meaning: 'A file of feeds that are read for every workspace; it is read at the start.',
    form: 'path of a file with one address a line, or of an OPML file',
    fallback: 'none',
    schema: addressesInFile,
  },
} satisfies SettingsTable

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // The message of the setting says it without the reason, which names the machine's folders.
    return null
  }
}

function listedAddresses(text: string): string[] {
  return text.split(/\r?\n/).map((line) => line.replace(/^\s*#.*/, '').trim())
}

type Outlines = NonNullable<NonNullable<ReturnType<typeof parseOpml>['body']>['outlines']>

/** A feed may stand in several folders. */
function opmlAddresses(text: string): string[] {
  const found = new Set<string>()
  const waiting: Outlines[number][] = [...(parseOpml(text).body?.outlines ?? [])]
  for (let outline = waiting.pop(); outline; outline = waiting.pop()) {
    if (outline.xmlUrl !== undefined) found.add(placeAddress(outline.xmlUrl) ?? outline.xmlUrl)
    waiting.push(...(outline.outlines ?? []))
  }
  return [...found].reverse()
}

function namedIn(entries: readonly string[], context: z.RefinementCtx): string[] {
  const named: string[] = []
  const refuse = (message: string): string[] => {
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  }
  for (const entry of entries.filter((text) => text !== '')) {
    const address = placeAddress(entry)
    if (address === null) return refuse('must be http or https addresses')
    const { host } = new URL(address)
    if (platformOfFeed(host) !== null) return refuse(`names ${host}, which a source of its own reads`)
    if (named.includes(address)) return refuse('names a feed twice')
    named.push(address)
  }
  if (named.length === 0) return refuse('names no feed')
  return named.length > MOST_NAMED ? refuse(`names more than ${MOST_NAMED} feeds`) : named
}
