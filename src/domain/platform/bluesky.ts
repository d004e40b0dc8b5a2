import type { AuthorInLink, LiveFacts, WithHandles } from './facts.ts'
import { nobody, oneOf, segmentsOf } from './links.ts'

export const bluesky: LiveFacts & WithHandles = {
  number: 0,
  name: 'Bluesky',
  glyph: { letters: 'bs', colour: '#0a66d8' },
  mode: 'live',
  readsWholeFeed: true,
  pollSeconds: null,
  longestLookBackDays: null,
  feedHosts: [],
  writing: { family: 'social', venue: null, mostlyEnglish: false },
  links: {
    owns: oneOf('bsky.app'),
    authorIn,
    authorInText,
    profileOfHandle: profileOf,
    profileOfId: profileOf,
    postIdIn: null,
  },
  handles: {
    isHandle: isDomain,
    profile: 'https://bsky.app/profile/',
    byId: 'https://bsky.app/profile/did:',
  },
}

const DID = /^did:(?:plc|web):[a-z0-9][a-z0-9._:%-]*$/i
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

function authorIn(url: URL): AuthorInLink {
  const [first, second = ''] = segmentsOf(url)
  const name = second.replace(/^@/, '')
  return first === 'profile' && isName(name) ? profileOf(name) : nobody('this link of Bluesky')
}

/** A DID or an at:// address. */
function authorInText(text: string): AuthorInLink | null {
  if (DID.test(text)) return profileOf(text)
  if (!/^at:\/\//i.test(text)) return null
  const authority = text.slice('at://'.length).split(/[/?#]/)[0] ?? ''
  return isName(authority) ? profileOf(authority) : { invalid: 'is no at:// address of a person' }
}

function isName(name: string): boolean {
  return DID.test(name) || /^(?=.{3,253}$)[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(name)
}

function profileOf(name: string): string {
  return `https://bsky.app/profile/${name.toLowerCase()}`
}

function isDomain(name: string): boolean {
  if (name.length > 253) return false
  const labels = name.split('.')
  return labels.length > 1 && labels.every((label) => LABEL.test(label)) && /^[a-z]/.test(labels.at(-1) ?? '')
}
