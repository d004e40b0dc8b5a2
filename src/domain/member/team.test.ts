import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ROLES, type Role } from './member.ts'
import { managesTeam, removalObjection, roleObjection } from './team.ts'

const role = fc.constantFrom(...ROLES)
const anybody = fc.constantFrom<Role | null>(...ROLES, null)

/** A small team, by person, and what its people do to each other in turn. Index 0 founded the workspace. */
const team = fc.array(role, { maxLength: 5 }).map((others): Role[] => ['owner', ...others])
const deeds = fc.array(
  fc.record({ by: fc.nat(5), on: fc.nat(5), deed: fc.oneof(fc.constant('remove' as const), role) }),
  { maxLength: 30 },
)

/** What becomes of a team, with who did the deed that took somebody out of it; null stands for who is gone. */
function play(start: readonly Role[], steps: readonly { by: number; on: number; deed: 'remove' | Role }[]) {
  const roles: (Role | null)[] = [...start]
  const done: { by: Role | null; self: boolean; from: Role; to: Role | null }[] = []
  for (const { by, on, deed } of steps) {
    const from = roles[on] ?? null
    const doer = roles[by] ?? null
    if (from === null) continue
    const owners = roles.filter((role) => role === 'owner').length
    const objection =
      deed === 'remove'
        ? removalObjection(doer, { role: from, isSelf: by === on }, owners)
        : roleObjection(doer, { from, to: deed })
    if (objection !== null) continue
    roles[on] = deed === 'remove' ? null : deed
    done.push({ by: doer, self: by === on, from, to: roles[on] })
  }
  return { roles, done }
}

describe('whatever the people of a team do to each other', () => {
  test('there is always an owner', () => {
    fc.assert(fc.property(team, deeds, (start, steps) => play(start, steps).roles.includes('owner')))
  })

  test('only owners make and remove owners, and nobody makes less of one', () => {
    fc.assert(
      fc.property(team, deeds, (start, steps) => {
        for (const { by, from, to } of play(start, steps).done) {
          if (from === 'owner' && to !== 'owner') expect([by, to]).toEqual(['owner', null])
          if (from !== 'owner' && to === 'owner') expect(by).toBe('owner')
        }
      }),
    )
  })

  test('members change nobody and may only leave', () => {
    fc.assert(
      fc.property(team, deeds, (start, steps) => {
        for (const { by, self, to } of play(start, steps).done)
          if (!managesTeam(by)) expect([self, to]).toEqual([true, null])
      }),
    )
  })
})

test('who is no member any more can do nothing', () => {
  fc.assert(
    fc.property(role, role, fc.nat(9), (from, to, owners) => {
      expect(roleObjection(null, { from, to })?.code).toBe('forbidden')
      expect(removalObjection(null, { role: from, isSelf: false }, owners)?.code).toBe('forbidden')
    }),
  )
})

test.each([
  ['owner', 'owner', 'admin', 'Nobody can change the role of an owner.'],
  ['admin', 'owner', 'member', 'Nobody can change the role of an owner.'],
  ['admin', 'admin', 'owner', 'Only an owner can make somebody an owner.'],
  ['admin', 'member', 'admin', null],
  ['admin', 'admin', 'member', null],
  ['owner', 'member', 'owner', null],
  ['owner', 'owner', 'owner', null],
  ['member', 'member', 'admin', 'Only owners and admins of the workspace manage its team.'],
] as const)('when %s makes %s a %s: %s', (by, from, to, told) => {
  expect(roleObjection(by, { from, to })?.message ?? null).toBe(told)
})

test.each([
  ['owner', 'owner', false, 2, null],
  ['owner', 'owner', true, 2, null],
  ['owner', 'owner', true, 1, 'last_owner'],
  ['admin', 'owner', false, 2, 'forbidden'],
  ['admin', 'owner', false, 1, 'forbidden'],
  ['admin', 'admin', false, 1, null],
  ['member', 'member', true, 1, null],
  ['member', 'member', false, 1, 'forbidden'],
] as const)('when %s removes %s (themselves: %s) among %i owners: %s', (by, of, isSelf, owners, code) => {
  expect(removalObjection(by, { role: of, isSelf }, owners)?.code ?? null).toBe(code)
})

test('exactly owners and admins manage the team', () => {
  fc.assert(fc.property(anybody, (item) => managesTeam(item) === (item === 'owner' || item === 'admin')))
})
