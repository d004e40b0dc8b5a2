import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isWanted, toPost } from './to-post.ts'
import { type Status, status } from './wire.ts'

const events: { event: string; data: unknown }[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'recorded/ordinary.json'), 'utf8'),
)
const updates = events.filter(({ event }) => event === 'update').map(({ data }) => status.parse(data))
const AT = new Date('2026-11-21T12:00:30Z')
const read = (given: Partial<Status> = {}, server: string | null = null, at = AT) =>
  toPost({ ...updates[0]!, ...given }, { server, at })!

describe('a post of Mastodon', () => {
  test('has whole links, joined tags, no links of people and tags, and the person with the server', () => {
    const post = read({}, 'social.example')
    expect(post).toMatchObject({
      nativeId: 'https://social.example/users/ada/statuses/101',
      url: 'https://social.example/@ada/101',
      title: null,
      text: '@Boris Trying Acme Notes today, see https://blog.example/a-long-address/about-acme?ref=1\n\n#AcmeNotes & more 🚀',
      links: ['https://blog.example/a-long-address/about-acme?ref=1'],
      languageHint: 'en',
      publishedAt: new Date('2026-11-21T12:00:00Z'),
      engagement: null,
    })
    expect(post.author).toEqual({
      id: 'https://social.example/users/ada',
      name: 'Ada L',
      handle: 'ada@social.example',
      url: 'https://social.example/@ada',
      avatarUrl: 'https://social.example/avatars/ada.png',
      followers: 10,
      automated: false,
    })
  })

  test('has the warning before the text, the options of a poll behind it, and the small picture', () => {
    expect(toPost(updates[1]!, { server: null, at: AT })).toMatchObject({
      text: 'A poll about Acme\n\nWhich one?\n\n- Acme\n- Other',
      imageUrl: 'https://other.example/media/small.png',
      languageHint: 'pt',
      author: { handle: 'Boris@other.example', automated: true },
    })
  })

  test('of related software has numbers for ids, and its id for an address', () => {
    expect(updates[2]!.id).toBe('301301')
    expect(toPost(updates[2]!, { server: null, at: AT })).toMatchObject({
      url: 'https://notes.example/users/carla/statuses/301',
      text: 'plain text without paragraph about Acme',
      links: ['https://shop.example/acme'],
      imageUrl: 'https://shop.example/acme.png',
      author: { id: 'https://notes.example/@carla', handle: 'carla@notes.example' },
    })
  })

  test('has counts once they may be more than zeros', () => {
    const counted = { favourites_count: 3, reblogs_count: 2, replies_count: 1, quotes_count: null }
    expect(read(counted).engagement).toBeNull()
    expect(read(counted, null, new Date('2026-11-21T12:10:00Z')).engagement).toMatchObject({
      likes: 3,
      reposts: 2,
      replies: 1,
      quotes: null,
    })
  })

  test('names its parent by the ids of the server that it was read from, or of its own', () => {
    const parentId = updates[0]!.in_reply_to_id!
    const parent = (server: string | null, more: Partial<Status> = {}) => read(more, server).replyTo
    expect(parent('social.example')).toEqual({
      author: 'Boris@other.example',
      url: `https://social.example/@Boris@other.example/${parentId}`,
      text: null,
    })
    expect(parent(null)).toEqual({ author: 'Boris@other.example', url: null, text: null })
    const own = { url: `https://social.example/@ada/${updates[0]!.id}`, mentions: [] }
    expect(parent(null, { ...own, in_reply_to_account_id: updates[0]!.account.id })).toEqual({
      author: 'ada@social.example',
      url: `https://social.example/@ada/${parentId}`,
      text: null,
    })
    const [{ in_reply_to_account_id: id }] = updates as [Status]
    const ben = { id: id!, acct: 'ben', url: 'https://social.example/@ben' }
    expect(parent('social.example', { mentions: [ben] })).toEqual({
      author: 'ben@social.example',
      url: `https://social.example/@ben/${parentId}`,
      text: null,
    })
    expect(parent('social.example', { in_reply_to_id: null })).toBeNull()
  })
})

describe('who is left out', () => {
  const wanted = (honoured: 'on' | 'noindex' | 'off') =>
    updates.filter((item) => isWanted(item, honoured)).map(({ account }) => account.acct)
  const open = ['ada', 'Boris@other.example', 'carla@notes.example', 'carla@notes.example']

  test('people who say so, as far as it is honoured; boosts always', () => {
    expect(wanted('on')).toEqual(open)
    expect(wanted('noindex')).toEqual([...open.slice(0, 3), 'shy@other.example', 'carla@notes.example'])
    expect(wanted('off')).toEqual([
      ...open.slice(0, 3),
      'hidden',
      'quiet@other.example',
      'shy@other.example',
      'carla@notes.example',
    ])
  })

  test('a tag that only begins alike is no wish', () => {
    const [item] = updates
    const noted = (note: string) => isWanted({ ...item!, account: { ...item!.account, note } }, 'on')
    expect(['#nobot', '#NoBots', 'x #nobot.', '#nobottles', 'nobot'].map(noted)).toEqual([
      false,
      false,
      false,
      true,
      true,
    ])
  })

  test('whatever is not public', () => {
    expect(
      ['public', 'unlisted', 'private', 'direct'].map((visibility) => isWanted({ ...updates[0]!, visibility }, 'off')),
    ).toEqual([true, false, false, false])
  })
})
