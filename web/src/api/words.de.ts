import type { words as english } from './words.ts'

export const words: typeof english = {
  unreachable: 'Der Server ist nicht erreichbar.',
  answeredWith: (status) => `Der Server hat mit Status ${status} geantwortet.`,
}
