import { expect, test } from 'vitest'
import { dataFolderOf } from './data-folder.ts'

const machine = { platform: 'linux', environment: {}, home: '/home/ada', isRoot: false } as const

test.each([
  [machine, '/home/ada/.local/share/earshot'],
  [{ ...machine, environment: { XDG_DATA_HOME: '/data' } }, '/data/earshot'],
  [{ ...machine, environment: { XDG_DATA_HOME: 'relative' } }, '/home/ada/.local/share/earshot'],
  [{ ...machine, isRoot: true }, '/var/lib/earshot'],
  [{ ...machine, isRoot: true, environment: { XDG_DATA_HOME: '/data' } }, '/data/earshot'],
  [{ ...machine, platform: 'darwin' as const }, '/home/ada/Library/Application Support/Earshot'],
  [{ ...machine, platform: 'win32' as const }, '/home/ada/AppData/Local/Earshot'],
])('of %j the data folder is %s', (of, folder) => {
  expect(dataFolderOf(of)).toBe(folder)
})
