/** Languages of the dashboard under their own names, so that everybody finds theirs. */
export const LANGUAGE_NAMES = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof LANGUAGE_NAMES

/** The first is that of people whose browser names none of them. */
export const LANGUAGES = Object.keys(LANGUAGE_NAMES) as [Language, ...Language[]]

export function isLanguage(text: string | null): text is Language {
  return LANGUAGES.some((language) => language === text)
}
