import { XMLValidator } from 'fast-xml-parser'
import { type AnyFeed, parseFeed } from 'feedsmith'
import { SourceFault } from '../contract.ts'

export type ParsedFeed = AnyFeed

/** A hundred long articles; parsing holds up the process for about a second per 3 million. */
const MOST_CHARACTERS = 3_000_000
/** Elements cost more than text: a body of nothing else would hold up the process for several seconds. */
const MOST_ELEMENTS = 60_000

/** Recognised by content: feeds come under any content type. SourceFault 'shape_changed' if the body is no feed. */
export function readFeedBody(body: string): ParsedFeed {
  if (body.length > MOST_CHARACTERS) throw new SourceFault('shape_changed', `the feed has ${body.length} characters`)
  const text = body.replace(/^[\s\uFEFF]+/, '')
  const parsed = attempt(text.startsWith('{') ? text : soundXml(text))
  if (parsed === null) throw new SourceFault('shape_changed', 'The reply is no feed.')
  return parsed
}

function attempt(text: string): ParsedFeed | null {
  try {
    return parseFeed(text)
  } catch {
    // The library says only that the text has none of the four forms.
    return null
  }
}

/** The parser accepts truncated XML, and is slow on text that is none. */
function soundXml(text: string): string {
  if (hasTooManyElements(text))
    throw new SourceFault('shape_changed', `The feed has more than ${MOST_ELEMENTS} elements.`)
  if (XMLValidator.validate(text) === true) return text
  const repaired = escapedAmpersands(text)
  if (XMLValidator.validate(repaired) === true) return repaired
  throw new SourceFault('shape_changed', 'The reply is no feed.')
}

/** Bare ampersands are the commonest defect of feeds. Takes long where CDATA does not end. */
function escapedAmpersands(text: string): string {
  return text.replace(/<!\[CDATA\[[\s\S]*?\]\]>|&(?!#?\w{1,32};)/g, (found) => (found === '&' ? '&amp;' : found))
}

/** Tags inside of CDATA are text. SourceFault 'shape_changed' if one does not end. */
function hasTooManyElements(text: string): boolean {
  let elements = 0
  for (let at = text.indexOf('<'); at !== -1 && elements <= MOST_ELEMENTS; at = text.indexOf('<', at + 1)) {
    const end = text.startsWith('<![CDATA[', at) ? text.indexOf(']]>', at) : at
    if (end === -1) throw new SourceFault('shape_changed', 'The reply is no feed.')
    at = end
    elements += 1
  }
  return elements > MOST_ELEMENTS
}
