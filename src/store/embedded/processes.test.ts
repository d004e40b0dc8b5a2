import { expect, test } from 'vitest'
import { StartError } from '../../kernel/start-error.ts'
import { startTagOf } from './processes.ts'

test.runIf(process.platform === 'linux')('a hidden boot id is an error, and not an ended process', () => {
  expect(() => startTagOf(process.pid, '/proc/no/boot_id')).toThrow(StartError)
  expect(startTagOf(process.pid)).toMatch(/^[0-9a-f]{8}\.\d+$/)
})
