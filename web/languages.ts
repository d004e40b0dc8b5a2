import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Plugin } from 'vite'
import { LANGUAGE_NAMES, type Language } from './src/app/languages.ts'

/** The first is the language of the sources. Each other one has `words.<language>.ts` beside each module of words. */
const LANGUAGES = Object.keys(LANGUAGE_NAMES) as readonly Language[]

const NEEDS_SCRIPT: Readonly<Record<Language, string>> = {
  en: 'The dashboard needs JavaScript. The API, the guide and the account pages work without it.',
  de: 'Das Dashboard braucht JavaScript. Die API, die Anleitung und die Kontoseiten funktionieren ohne.',
}

/** The language of a mode of Vite; English for the usual modes. */
export function languageOf(mode: string): Language {
  return LANGUAGES.find((language) => language === mode) ?? 'en'
}

/**
 * Takes each module of words in its language, so that a reader loads one language only, and loads it with the page
 * that needs it.
 */
export function inLanguage(language: Language): Plugin {
  return {
    name: 'in-language',
    enforce: 'pre',
    resolveId(source, importer) {
      if (language === 'en' || importer === undefined || !/words\.ts$/.test(source)) return null
      const translated = resolve(dirname(importer), source).replace(/\.ts$/, `.${language}.ts`)
      return existsSync(translated) ? translated : null
    },
    transformIndexHtml(html) {
      return html
        .replace('<html lang="en"', `<html lang="${language}"`)
        .replace(NEEDS_SCRIPT.en, NEEDS_SCRIPT[language])
    },
  }
}
