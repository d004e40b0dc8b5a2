import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { canParse } from './can-parse.ts'

test('however often it is asked, an address with letters beyond ASCII stays one', () => {
  let refused = 0
  for (let count = 0; count < 100_000; count += 1)
    if (!canParse('https://bücher.example/hook') || !canParse('/ä', 'https://a.example')) refused += 1
  expect(refused).toBe(0)
  expect([canParse('bücher'), canParse(''), canParse('https://[')]).toEqual([false, false, false])
})

test('nothing asks URL.canParse, which does not', () => {
  const src = fileURLToPath(new URL('..', import.meta.url))
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !/can-parse(\.test)?\.ts$/.test(path),
  )
  expect(files.filter((path) => readFileSync(`${src}/${path}`, 'utf8').includes('URL.canParse'))).toEqual([])
})
