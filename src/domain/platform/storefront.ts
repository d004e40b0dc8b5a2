export const DEFAULT_REVIEW_COUNTRY = 'us'
export const DEFAULT_REVIEW_LANGUAGE = 'en'
export const LONGEST_REVIEW_LANGUAGE = 10

/** Two lower-case letters; `uk` is a common form of `gb`. */
export function reviewCountry(text: string | null | undefined): string | null {
  const code = text?.trim().toLowerCase() ?? ''
  if (!/^[a-z]{2}$/.test(code)) return null
  return code === 'uk' ? 'gb' : code
}

/** Such as `pt-BR`; null when invalid or too long. Withdrawn codes become their successors. */
export function reviewLanguage(text: string | null | undefined): string | null {
  const tag = text?.trim() ?? ''
  if (tag.length > LONGEST_REVIEW_LANGUAGE || !/^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,7}){0,2}$/.test(tag)) return null
  const [language = '', ...parts] = tag.split(/[-_]/)
  const current = RENAMED_LANGUAGES.get(language.toLowerCase()) ?? language.toLowerCase()
  return [current, ...parts.map((part) => (part.length === 2 ? part.toUpperCase() : part))].join('-')
}

const RENAMED_LANGUAGES = new Map([
  ['iw', 'he'],
  ['in', 'id'],
])
