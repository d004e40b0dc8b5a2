import { LOCALE } from './words.ts'

const LANGUAGES = new Intl.DisplayNames(LOCALE, { type: 'language' })
const COUNTRIES = new Intl.DisplayNames(LOCALE, { type: 'region' })

/** The name of a language by its code of ISO 639-1. */
export function languageName(code: string): string {
  return LANGUAGES.of(code) ?? code
}

/** The name of a country by its code of two letters, in any case. */
export function countryName(code: string): string {
  return COUNTRIES.of(code.toUpperCase()) ?? code
}
