import { expect, test } from 'vitest'
import { liveBytes } from '../../../test/live-bytes.ts'
import { KnownPosts } from './known-posts.ts'
import type { Status } from './wire.ts'

test('a post whose address is too long for one is not remembered', () => {
  const known = new KnownPosts()
  const before = liveBytes()
  for (let number = 0; number < 200; number += 1) {
    const uri = Buffer.alloc(100_000, `${number} `).toString()
    expect(known.take({ id: String(number), uri, edited_at: null } as Status, null, 1)).toBeNull()
  }
  expect(liveBytes() - before).toBeLessThan(5_000_000)
  expect(known.takeGone('1', 1)).toBeNull()
})
