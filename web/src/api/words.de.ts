import type { Translation } from '../kit/translation.ts'
import type { words as english } from './words.ts'

export const words: Translation<typeof english> = {
  unreachable: 'Der Server ist nicht erreichbar.',
  answeredWith: (status) => `Der Server hat mit Status ${status} geantwortet.`,
}
