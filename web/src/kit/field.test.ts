import { expect, test } from 'vitest'
import { addTags } from './field.tsx'

test('addTags splits by commas and lines and keeps each word once', () => {
  expect(addTags(['robot'], ' arm, robot ,,two words\ngripper')).toEqual(['robot', 'arm', 'two words', 'gripper'])
  expect(addTags(['robot'], ' , ')).toEqual(['robot'])
})
