import type { NamedSource } from '../api/named-sources.ts'

export const namedWords = {
  title: 'Feeds and forums',
  hint:
    'What this workspace reads besides the platforms: blogs, newsletters, release notes and Discourse forums. ' +
    'Only keywords of this workspace see their posts.',
  caption: 'Feeds and forums of this workspace with their state',
  columns: { name: 'Name', platform: 'Kind', state: 'State', lastPost: 'New post', actions: 'Actions' },
  kinds: { feeds: 'Feed', discourse: 'Forum' } satisfies Record<NamedSource['platform'], string>,
  states: { waiting: 'Waiting', ready: 'Read', failing: 'Failing' } satisfies Record<NamedSource['status'], string>,
  never: 'none yet',
  none: 'No feed or forum is named',
  noneHint: 'Add the address of a blog, a feed or a forum.',
  add: 'Add a feed or forum',
  platform: 'Kind',
  address: 'Address',
  addressHint: 'A site, its feed, or any page of a Discourse forum.',
  create: 'Look up and add',
  cancel: 'Cancel',
  created: (name: string) => `${name} is read from now on`,
  remove: 'Stop reading',
  removeTitle: (name: string) => `Stop reading ${name}?`,
  removeText: 'Mentions that it brought stay.',
  removed: (name: string) => `${name} is not read any more`,
} as const
