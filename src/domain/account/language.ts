/** Languages of the dashboard. The first is that of people whose browser names none of them. */
export const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]

export function isLanguage(text: string | null): text is Language {
  return LANGUAGES.some((language) => language === text)
}
