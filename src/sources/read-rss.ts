import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { z } from 'zod'
import { SourceFault, type SourceReply } from './contract.ts'
import { faultOfStatus } from './reply-fault.ts'

/** 100 articles have about 200,000 characters; a far larger body is slow to parse. */
const MOST_CHARACTERS = 2_000_000
const PREDEFINED = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])
const ignore = () => undefined

/** Expands no entities of the document. */
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  maxNestedTags: 30,
  isArray: (name) => name === 'item',
  entityDecoder: {
    decode: decodeEntities,
    reset: ignore,
    setExternalEntities: ignore,
    addInputEntities: ignore,
    setXmlVersion: ignore,
  },
})

const feed = z.object({ rss: z.object({ channel: z.record(z.string(), z.unknown()) }) })

/** Throws if the body is no RSS. */
export function readRss(reply: SourceReply, at: Date): unknown[] {
  const fault = faultOfStatus(reply.status, reply.headers, at)
  if (fault) throw fault
  const parsed = feed.safeParse(parsedXml(reply.body))
  if (!parsed.success) throw new SourceFault('shape_changed', 'the reply is XML, but no feed', { cause: parsed.error })
  const { channel } = parsed.data.rss
  const { item: items } = channel
  if (Array.isArray(items)) return items
  const others = Object.entries(channel).find(
    ([name, element]) => name !== 'image' && [element].flat().some(looksLikeItem),
  )
  if (others) throw new SourceFault('shape_changed', 'the feed calls its items by another name')
  return []
}

function parsedXml(body: string): unknown {
  if (body.length > MOST_CHARACTERS) throw new SourceFault('shape_changed', `the feed has ${body.length} characters`)
  // The parser accepts truncated XML.
  if (XMLValidator.validate(body) !== true)
    throw new SourceFault('shape_changed', `the reply is no XML (${body.length} characters)`)
  try {
    return parser.parse(body)
  } catch (cause) {
    throw new SourceFault('shape_changed', 'the reply is XML that is not read', { cause })
  }
}

function looksLikeItem(element: unknown): boolean {
  return typeof element === 'object' && element !== null && 'title' in element && 'link' in element
}

/** Others stay as written. */
function decodeEntities(text: string): string {
  return text.replace(
    /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi,
    (written, name?: string, decimal?: string, hex?: string) => {
      if (name !== undefined) return PREDEFINED.get(name) ?? written
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : written
    },
  )
}
