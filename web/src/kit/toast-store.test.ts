import { expect, test } from 'vitest'
import { currentToasts, showToast } from './toast-store.ts'

test('keeps the newest three toasts and takes one away by its function', () => {
  const [, takeSecondAway, takeThirdAway, takeFourthAway] = ['a', 'b', 'c', 'd'].map((text) => showToast({ text }))
  expect(currentToasts().map((toast) => toast.text)).toEqual(['b', 'c', 'd'])
  takeThirdAway!()
  expect(currentToasts().map((toast) => toast.text)).toEqual(['b', 'd'])
  takeSecondAway!()
  takeFourthAway!()
  expect(currentToasts()).toEqual([])
})
