import type { Translation } from '../kit/translation.ts'
import type { namedWords as english } from './named-words.ts'

export const namedWords: Translation<typeof english> = {
  title: 'Feeds und Foren',
  hint:
    'Was dieser Arbeitsbereich außer den Plattformen liest: Blogs, Newsletter, Versionshinweise und Discourse-Foren. ' +
    'Nur Suchbegriffe dieses Arbeitsbereichs sehen ihre Beiträge.',
  caption: 'Feeds und Foren dieses Arbeitsbereichs mit ihrem Zustand',
  columns: { name: 'Name', platform: 'Art', state: 'Zustand', lastPost: 'Neuer Beitrag', actions: 'Aktionen' },
  kinds: { feeds: 'Feed', discourse: 'Forum' },
  states: { waiting: 'Wartet', ready: 'Gelesen', failing: 'Gestört' },
  never: 'noch keiner',
  none: 'Noch kein Feed oder Forum',
  noneHint: 'Füge die Adresse eines Blogs, eines Feeds oder eines Forums hinzu.',
  add: 'Feed oder Forum hinzufügen',
  platform: 'Art',
  address: 'Adresse',
  addressHint: 'Eine Website, ihr Feed, oder eine beliebige Seite eines Discourse-Forums.',
  create: 'Prüfen und hinzufügen',
  cancel: 'Abbrechen',
  created: (name) => `${name} wird ab jetzt gelesen`,
  remove: 'Nicht mehr lesen',
  removeTitle: (name) => `${name} nicht mehr lesen?`,
  removeText: 'Erwähnungen, die von dort kamen, bleiben.',
  removed: (name) => `${name} wird nicht mehr gelesen`,
}
