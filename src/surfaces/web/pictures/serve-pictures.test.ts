import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { madeUpPost } from '../../../../test/makers.ts'
import { makeKeyword, mention, type TestKeyword } from '../../../../test/mentions.ts'
import { createPerson, type Person } from '../../../../test/people.ts'
import { useWorkspace, useWorld } from '../../../../test/use-world.ts'
import type { Post } from '../../../domain/post/post.ts'
import { toId } from '../../../kernel/ids.ts'

const BYTES = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
const asked: string[] = []

const world = useWorld({
  web: {
    shells: { en: '<!doctype html><html lang="en"></html>', de: '' },
    preloads: { en: {}, de: {} },
    assets: new Map(),
  },
  fetchPicture: async (address) => {
    asked.push(address)
    return address.includes('broken') ? null : { type: 'image/png', bytes: BYTES }
  },
})
const acme = useWorkspace(world, 'Acme')
const other = useWorkspace(world, 'Other')
const people: Record<'member' | 'stranger', Person> = {} as never
beforeAll(async () => {
  people.member = await createPerson(world.services, acme.workspaceId, 'member')
  people.stranger = await createPerson(world.services, other.workspaceId, 'owner')
})
beforeEach(() => {
  asked.length = 0
})

let keyword: TestKeyword
beforeAll(async () => {
  keyword = await makeKeyword(acme, { term: 'Acme' })
})

async function mentionOf(post: Partial<Post>): Promise<string> {
  return toId('mtn', (await mention(world, keyword, { text: 'Acme with a picture', ...post })).mentionId)
}

function withAvatar(avatarUrl: string): Partial<Post> {
  return { author: { ...madeUpPost(world.clock.now(), '').author!, avatarUrl } }
}

function open(path: string, person: Person | null = people.member): Promise<Response> {
  return fetch(world.origin + path, {
    headers: person === null ? {} : { cookie: `__Host-earshot_session=${person.sessionSecret}` },
  })
}

describe('pictures of a stored post', () => {
  test('are those that the platform named, and nothing in them may run', async () => {
    const id = await mentionOf({ imageUrl: 'https://a.example/post.png', ...withAvatar('https://a.example/face.png') })
    const reply = await open(`/pictures/${id}/post`)
    expect(Buffer.from(await reply.arrayBuffer()).equals(BYTES)).toBe(true)
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'private, max-age=86400',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    expect((await open(`/pictures/${id}/author`)).status).toBe(200)
    expect(asked).toEqual(['https://a.example/post.png', 'https://a.example/face.png'])
  })

  test('that cannot be shown are missing, and are not asked for again for a while', async () => {
    const id = await mentionOf({ imageUrl: 'https://a.example/broken.png' })
    const reply = await open(`/pictures/${id}/post`)
    expect([reply.status, reply.headers.get('cache-control')]).toEqual([404, 'private, max-age=600'])
  })

  test('are nothing to other workspaces, to strangers, and where there is none', async () => {
    const id = await mentionOf({ imageUrl: 'https://a.example/post.png' })
    const replies = await Promise.all([
      open(`/pictures/${id}/post`, people.stranger),
      open(`/pictures/${id}/post`, null),
      open(`/pictures/${id}/author`),
      open(`/pictures/${id}/other`),
      open('/pictures/mtn_unknown/post'),
    ])
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
    expect(replies.map(({ headers }) => headers.get('cache-control'))).toEqual(Array(5).fill('no-store'))
    expect(asked).toEqual([])
  })
})

test('the shell says nothing of pictures where they are shown', async () => {
  expect(await (await open('/inbox')).text()).toBe('<!doctype html><html lang="en"></html>')
})
