import type { MouseEvent } from 'react'
import { expect, test } from 'vitest'
import { followBy } from './follow.ts'

function clickWith(change: Partial<MouseEvent>): { followed: string[]; prevented: boolean } {
  const followed: string[] = []
  let prevented = false
  const event = {
    button: 0,
    currentTarget: { getAttribute: () => '/keywords?sort=term' },
    preventDefault: () => {
      prevented = true
    },
    ...change,
  }
  followBy((href) => followed.push(href))!(event as unknown as MouseEvent<HTMLAnchorElement>)
  return { followed, prevented }
}

test('a plain click stays in the application, with the address as it is written', () => {
  expect(clickWith({})).toEqual({ followed: ['/keywords?sort=term'], prevented: true })
})

test('a click for a new tab, a new window or the file is left to the browser', () => {
  const changes = [{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { altKey: true }, { button: 1 }]
  for (const change of changes) expect(clickWith(change)).toEqual({ followed: [], prevented: false })
  expect(clickWith({ defaultPrevented: true }).followed).toEqual([])
})

test('without a navigation the link is the browser’s', () => {
  expect(followBy(undefined)).toBeUndefined()
})
