import type { Translation } from '../../kit/translation.ts'
import type { words as english } from './words.ts'

export const words: Translation<typeof english> = {
  formerMonth: 'Voriger Monat',
  nextMonth: 'Nächster Monat',
}
