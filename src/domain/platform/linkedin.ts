import type { AuthorInLink, SearchFacts } from './facts.ts'
import { NEEDS_RESOLVING, nobody, segmentsOf } from './links.ts'

export const linkedin: SearchFacts = {
  number: 9,
  name: 'LinkedIn',
  glyph: { letters: 'in', colour: '#0a66c2' },
  mode: 'search',
  readsWholeFeed: false,
  pollSeconds: 43_200,
  longestLookBackDays: null,
  feedHosts: [],
  writing: { family: 'social', venue: null, mostlyEnglish: false },
  links: {
    owns: (host) => /^(?:(?:[a-z]{2}|m|touch)\.)?linkedin\.com$/.test(host),
    authorIn,
    profileOfHandle: (handle) => profileIn('in', handle),
    profileOfId: null,
    aliasesOf,
    postIdIn: ({ pathname }) => pathname.replace(/%3A/gi, ':').match(/urn:li:activity:(\d{1,20})/i)?.[1],
  },
  handles: null,
}

const SECTIONS = ['in', 'company', 'school', 'showcase'] as const

function authorIn(url: URL): AuthorInLink {
  const [first = '', second = ''] = segmentsOf(url)
  const slug = first === 'posts' ? (second.split('_')[0] ?? '') : second
  const named = /^[^\s/_][^\s/]{0,199}$/u.test(slug)
  if (SECTIONS.some((section) => section === first) && named) return profileIn(first, slug)
  // A post's address does not show whether a person or company wrote it.
  if (first === 'posts') return named && second.includes('_') ? profileIn('in', slug) : nobody('this link of LinkedIn')
  const isPost =
    (first === 'feed' && /urn:li:/i.test(url.pathname.replace(/%3A/gi, ':'))) ||
    (first === 'pulse' && second !== '') ||
    (first === 'embed' && second === 'feed')
  return isPost ? NEEDS_RESOLVING : nobody('this link of LinkedIn')
}

function aliasesOf(profile: string): string[] {
  const slug = profile.match(/^https:\/\/www\.linkedin\.com\/(?:in|company|school|showcase)\/([^/]+)$/)?.[1]
  return slug === undefined ? [profile] : SECTIONS.map((section) => profileIn(section, slug))
}

function profileIn(section: string, slug: string): string {
  return `https://www.linkedin.com/${section}/${slug.toLowerCase()}`
}
