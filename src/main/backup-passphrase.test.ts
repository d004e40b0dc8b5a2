import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { type Cli, Terminal } from '../cli/index.ts'
import { knownPassphrase, newPassphrase } from './backup-passphrase.ts'

/** A person who answers each question with the next line. */
function person(lines: readonly string[], isTTY = true) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const left = [...lines]
  let shown = ''
  stderr.on('data', (chunk: Buffer) => {
    shown += chunk
    if (/: $/.test(shown) && left.length > 0) stdin.write(left.shift())
  })
  const terminal = new Terminal({ stdout, stderr, env: {} })
  const cli = { stdin: Object.assign(stdin, { isTTY }), terminal } as unknown as Cli
  return { cli, shown: () => shown }
}

test('a passphrase is asked for twice and never shown', async () => {
  const { cli, shown } = person(['words for a key\r', 'words for a key\r'])
  expect(await newPassphrase(null, cli)).toBe('words for a key')
  expect(shown()).toBe('Passphrase for the key: \nThe same once more: \n')
})

test('a short passphrase and another second time are refused', async () => {
  await expect(newPassphrase(null, person(['short\r']).cli)).rejects.toThrow('must have 12 or more characters')
  const typed = ['words for a key\r', 'words for a kez\r']
  await expect(newPassphrase(null, person(typed).cli)).rejects.toThrow('The two passphrases differ.')
})

test.each(['word\x03', '\x04'])('Ctrl-C and Ctrl-D end the question (%j)', async (typed) => {
  await expect(knownPassphrase(null, person([typed]).cli)).rejects.toMatchObject({ exitCode: 130 })
})

test('the setting is taken without a question, and scripts are told about it', async () => {
  const script = person([], false)
  expect(await knownPassphrase('words for a key', script.cli)).toBe('words for a key')
  await expect(knownPassphrase(null, script.cli)).rejects.toThrow(/^Set BACKUP_PASSPHRASE/)
})
