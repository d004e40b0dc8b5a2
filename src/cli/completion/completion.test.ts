import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { run } from '../running.suite.ts'

async function completed(line: string): Promise<string[]> {
  const { out: script } = await run(['completion', 'bash'])
  const words = line.split(' ')
  const ask = `${script}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length - 1}
_earshot
printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['--norc', '-c', ask], { encoding: 'utf8' }).split('\n').filter(Boolean)
}

test.each([
  ['earshot ment', ['mentions']],
  ['earshot mentions t', ['tail']],
  ['earshot mentions list --sent', ['--sentiments']],
  ['earshot mentions list --keyword acme --not-plat', ['--not-platforms']],
  ['earshot report --format m', ['markdown']],
  ['earshot report --format ', ['text', 'markdown', 'html']],
  ['earshot mentions export --format ', ['csv', 'json']],
  ['earshot completion --h', ['--help']],
])('bash completes %s', async (line, words) => expect(await completed(line)).toEqual(words))

test.each(['zsh', 'fish'])('%s is told every command and option', async (shell) => {
  const { code, out } = await run(['completion', shell])
  expect(code).toBe(0)
  for (const word of ['mentions list', 'deliveries replay', 'keywords suggest', 'not-sentiments', 'markdown'])
    expect(out).toContain(word)
})

test('a script with quotes in descriptions is still one that bash reads', async () => {
  const { out } = await run(['completion', 'bash'])
  execFileSync('bash', ['-n'], { input: out })
})
