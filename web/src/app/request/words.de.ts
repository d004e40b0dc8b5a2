import type { Translation } from '../../kit/translation.ts'
import type { words as english } from './words.ts'

export const words: Translation<typeof english> = {
  signatures: { valid: 'Signatur gültig', invalid: 'Signatur ungültig', unknown: 'Signatur nicht geprüft' },
  headers: 'Header',
  body: 'Inhalt',
  bodyCut: 'Der Inhalt ist gekürzt.',
}
