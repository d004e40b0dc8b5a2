import { expect, test } from 'vitest'
import { presentMigrations, readDumps } from './dump.ts'
import { problemsOf } from './expand.ts'

const RELEASED = readDumps().map(({ version }) => version)

test.each(presentMigrations().slice(1))('$name leaves the build before it running', ({ text }) => {
  expect(problemsOf(text, RELEASED), 'expand first; take away in a later version').toEqual([])
})

test.each([
  'create table a (b text not null)',
  'alter table a add column b text',
  'alter table a add b text',
  "alter table a add column b text not null default 'x'",
  'alter table a add column b bigint not null generated always as identity',
  'create index c on a (b)',
  'create unique index c on a (b)',
  '-- drop table a\nselect 1',
  "update a set b = 'x'",
  'alter table a add column b text;\ncreate table c (d text not null)',
])('%s only adds', (text) => {
  expect(problemsOf(text, [])).toEqual([])
})

test.each([
  'drop table a',
  'alter table a drop column b',
  'ALTER TABLE a DROP COLUMN b',
  'alter table a rename column b to c',
  'alter table a rename to c',
  'alter table a alter column b type bigint',
  'alter table a alter b set data type bigint',
  'alter table a alter column b set not null',
  'alter table a alter column b drop default',
  'alter table a add column b text not null',
  'alter table a add b text not null',
  'alter table a\n  add column b text,\n  add column c text not null',
  'alter table a add constraint d check (b > 0)',
  'alter table a add check (b > 0)',
  'drop trigger t on a',
])('%s is refused', (text) => {
  expect(problemsOf(text, [])).not.toEqual([])
})

test('what a version before the last kept one used last may be taken away', () => {
  const marked = (version: string) => problemsOf(`-- contracts: ${version}\ndrop table a`, ['1.0.0', '1.1.0'])
  expect(marked('1.0.0')).toEqual([])
  expect(marked('1.1.0')).not.toEqual([])
  expect(marked('0.9.0')).not.toEqual([])
})
