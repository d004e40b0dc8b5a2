/** Languages of the dashboard under their own names, so that everybody finds theirs. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof LANGUAGES
