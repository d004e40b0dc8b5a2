import { beforeEach, describe, expect, test } from 'vitest'
import type { Browser } from '../../../test/browser.ts'
import { createPerson, type Person } from '../../../test/people.ts'
import { changeSessions } from '../../../test/rows.ts'
import { useResource } from '../../../test/use-world.ts'
import { ROLES, type Role } from '../../domain/member/member.ts'
import { roleObjection } from '../../domain/member/team.ts'
import { MINUTE_MS } from '../../kernel/clock.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { createHouse } from './house.suite.ts'

const house = useResource(createHouse)

let acme: Uuid
let owner: Person
let admin: Person
let member: Person
beforeEach(async () => {
  acme = await house.workspace('Acme')
  owner = await createPerson(house.services, acme, 'owner')
  admin = await createPerson(house.services, acme, 'admin')
  member = await createPerson(house.services, acme, 'member')
  await house.world.clock.advance(MINUTE_MS)
})

/** A browser in which somebody looks at their team. */
async function at(person: Person, path = '/team', where = house): Promise<Browser> {
  const browser = where.browser({ session: person.sessionSecret })
  await browser.open(path)
  return browser
}

/** Sends a form that the page in view may not have, but for its workspace. */
function send(browser: Browser, path: string, fields: Record<string, string> = {}, headers?: Record<string, string>) {
  return browser.post(path, { workspace: toId('org', acme), ...fields }, headers)
}

/** The team as it is stored: roles by person, and the addresses that are invited. */
async function team(workspaceId = acme): Promise<{ roles: Record<string, Role>; invited: string[] }> {
  const members = await house.services.db.query<{ user_id: Uuid; role: Role }>(
    sql`select user_id, role from membership where workspace_id = ${workspaceId}`,
  )
  const invitations = await house.services.db.query<{ email: string }>(
    sql`select email from invitation where workspace_id = ${workspaceId} order by id`,
  )
  return {
    roles: Object.fromEntries(members.map((member) => [member.user_id, member.role])),
    invited: invitations.map(({ email }) => email),
  }
}

async function memberId({ userId }: Person, workspaceId = acme): Promise<string> {
  const [row] = await house.services.db.query<{ id: Uuid }>(
    sql`select id from membership where workspace_id = ${workspaceId} and user_id = ${userId}`,
  )
  return toId('mem', row!.id)
}

describe('the team', () => {
  test('is seen by its members, with roles and days, and nothing to change it', async () => {
    const { view } = await at(member)
    expect(view.text).toContain(`Person who is owner owner ${owner.email}since 20`)
    expect(view.text).toContain(`Person who is member member, you ${member.email}since 20`)
    expect([...view.document.querySelectorAll('form, details')]).toEqual([])
    expect([...view.document.querySelectorAll('main a')].map((item) => item.textContent)).toEqual([
      'Leave the workspace',
    ])
    expect(view.text).not.toContain('Invite')
  })

  test('shows open invitations and their links only to who manages it', async () => {
    await house.invite(acme, 'guest@example.com', owner.userId)
    expect((await at(member)).view.html).not.toContain('guest@example.com')
    expect((await at(admin)).view.text).toContain('guest@example.com')
  })

  test.each([
    ['owner', ['Attention', 'Team', 'Keys', 'Account', 'Workspaces']],
    ['admin', ['Attention', 'Team', 'Account', 'Workspaces']],
    ['member', ['Attention', 'Team', 'Account', 'Workspaces']],
  ] as const)('has a line for %s that leads to what they can see, on every page of it', async (role, places) => {
    const browser = await at({ owner, admin, member }[role])
    for (const path of ['/attention', '/team', '/account', '/workspaces']) {
      const line = (await browser.open(path)).document.querySelector('nav')
      expect([
        line.querySelector('strong').textContent,
        ...[...line.querySelectorAll('a')].map((item) => item.textContent),
      ]).toEqual(['Acme', ...places])
      expect(line.querySelector('[aria-current=page]').getAttribute('href')).toBe(path)
      for (const place of places)
        expect((await browser.open(line.querySelectorAll('a')[places.indexOf(place as never)].href)).status).toBe(200)
    }
  })

  test('of no workspace is shown after one was chosen', async () => {
    await changeSessions(house.services, { userId: owner.userId }, { workspaceId: null })
    const browser = await at(owner)
    expect(browser.view.address).toBe('https://earshot.test/workspaces?next=%2Fteam')
    expect(browser.view.document.querySelector('nav').textContent).toContain('No workspace is chosen')
    expect((await browser.press('Use this workspace', { 'Your workspaces': 'Acme' })).address).toBe(
      'https://earshot.test/team',
    )
  })

  test('is for who is signed in', async () => {
    const browser = house.browser()
    expect((await browser.open('/team')).address).toBe('https://earshot.test/sign-in?next=%2Fteam')
    for (const path of [
      '/team/invitations',
      `/team/members/${await memberId(member)}/remove`,
      `/team/members/${await memberId(member)}/role`,
    ]) {
      const { status, headers } = await send(browser, path, { email: 'eve@example.com', role: 'admin' })
      expect([status, headers.get('location')]).toEqual([303, '/sign-in'])
    }
    expect(await team()).toMatchObject({ roles: { [member.userId]: 'member' }, invited: [] })
  })
})

describe('inviting', () => {
  test('without a mail server shows the link that is to be handed on, and it opens', async () => {
    const browser = await at(owner)
    const view = await browser.press('Invite', { 'E-mail address': 'Guest@example.com', 'Joins as': 'Admin' })
    expect(view.document.querySelector('[role=status]').textContent).toContain(
      'Guest@example.com is invited as an admin.',
    )
    const links = [...view.document.querySelectorAll('code')].map((item) => item.textContent)
    expect(links).toHaveLength(2)
    for (const link of links) {
      const opened = await house.browser().open(link)
      expect(opened.text).toContain(
        'Person who is owner has invited you to join Acme as an admin. The invitation is for Guest@example.com.',
      )
    }
  })

  test('with a mail server sends the link, and shows it to nobody else', async () => {
    const mailing = await createHouse({ mail: true })
    const workspaceId = await mailing.workspace('Mailing')
    const browser = await at(await createPerson(mailing.services, workspaceId, 'admin'), '/team', mailing)
    const view = await browser.press('Invite', { 'E-mail address': 'guest@example.com' })
    expect(view.text).toContain('guest@example.com is invited as a member. The link is sent by mail.')
    expect(view.html).not.toContain('/invitations/v1.')
    expect((await mailing.browser().open(await mailing.linkTo('guest@example.com'))).heading).toBe('You are invited')
    await mailing.close()
  })

  test('an address again changes nothing, and says so', async () => {
    const browser = await at(owner)
    await browser.press('Invite', { 'E-mail address': 'guest@example.com', 'Joins as': 'Member' })
    const again = await browser.press('Invite', { 'E-mail address': 'GUEST@example.com', 'Joins as': 'Admin' })
    expect(again.text).toContain(
      'guest@example.com was invited before, as a member. That invitation is still valid, and nothing was sent again.',
    )
    expect((await team()).invited).toEqual(['guest@example.com'])
  })

  test.each([
    ['', 'Must be an e-mail address.'],
    ['"><script>', 'Must be an e-mail address.'],
    ['a@example.com, b@example.com', 'Must be an e-mail address.'],
  ])('%j says beside the field what is wrong, and keeps what was typed', async (email, problem) => {
    const browser = await at(owner)
    const view = await browser.press('Invite', { 'E-mail address': email, 'Joins as': 'Admin' })
    expect([
      view.status,
      view.document.querySelector('#email-wrong').textContent,
      view.document.querySelector('#email').value,
    ]).toEqual([400, problem, email])
    expect(view.document.querySelector('[name=role][value=admin]').checked).toBe(true)
  })

  test('a member says so beside the field', async () => {
    const view = await (await at(owner)).press('Invite', { 'E-mail address': member.email.toUpperCase() })
    expect([view.status, view.document.querySelector('#email-wrong').textContent]).toEqual([
      400,
      'A member with this address already exists.',
    ])
  })

  test.each(['owner', '', 'root'])('nobody can be invited as %j', async (role) => {
    const view = await send(await at(owner), '/team/invitations', { email: 'guest@example.com', role })
    expect([view.status, view.document.querySelector('#role-wrong').textContent]).toEqual([400, 'Choose one of them.'])
    expect((await team()).invited).toEqual([])
  })

  test('is counted together with the interface, twenty in a minute, and what was refused is not', async () => {
    const browser = await at(owner)
    await send(browser, '/team/invitations', { email: owner.email, role: 'member' })
    for (let n = 0; n < 19; n += 1)
      expect(
        (await browser.fetch('/v1/members/invitations', { method: 'POST', body: { email: `guest-${n}@example.com` } }))
          .status,
      ).toBe(201)
    const invite = (email: string) => send(browser, '/team/invitations', { email, role: 'member' })
    expect([(await invite('last@example.com')).status, (await invite('late@example.com')).status]).toEqual([303, 429])
    expect(
      (await browser.fetch('/v1/members/invitations', { method: 'POST', body: { email: 'late@example.com' } })).status,
    ).toBe(429)
    expect((await team()).invited).not.toContain('late@example.com')
    await house.world.clock.advance(MINUTE_MS)
    expect((await invite('late@example.com')).status).toBe(303)
  })

  test('can be taken back, and the link opens nothing any more', async () => {
    const link = await house.invite(acme, 'guest@example.com', owner.userId)
    const browser = await at(admin)
    expect((await browser.press('Withdraw the invitation of guest@example.com')).text).toContain(
      'The invitation is withdrawn.',
    )
    expect((await house.browser().open(link)).status).toBe(404)
  })
})

describe('roles', () => {
  test('are offered as far as the rules allow them', async () => {
    const people = { owner, admin, member }
    for (const by of ROLES) {
      const { view } = await at(people[by])
      for (const of of ROLES) {
        const picker = view.document.getElementById(`${await memberId(people[of])}-role`)
        const allowed = ROLES.filter((to) => roleObjection(by, { from: of, to }) === null)
        const wanted = allowed.some((to) => to !== of) ? allowed : []
        expect([by, of, ...(picker === null ? [] : [...picker.options].map((option) => option.value))]).toEqual([
          by,
          of,
          ...wanted,
        ])
        if (picker !== null) expect(picker.value).toBe(of)
      }
    }
  })

  test('can be changed, from the next request on', async () => {
    const browser = await at(admin)
    expect((await browser.press('Change the role of Person who is member', { Role: 'admin' })).text).toContain(
      'The role is changed.',
    )
    expect((await team()).roles[member.userId]).toBe('admin')
    expect((await at(member)).view.text).toContain('Invite somebody')
  })

  test('of an owner are given only after a second question, because nobody can take them away', async () => {
    const browser = await at(owner)
    const asked = await browser.press('Change the role of Person who is admin', { Role: 'owner' })
    expect([asked.heading, (await team()).roles[admin.userId]]).toEqual(['Make somebody an owner?', 'admin'])
    await browser.press('Make Person who is admin an owner')
    expect((await team()).roles[admin.userId]).toBe('owner')
  })

  test('that somebody would lose themselves are asked about too', async () => {
    const browser = await at(admin)
    const asked = await browser.press('Change the role of Person who is admin', { Role: 'member' })
    expect([asked.heading, (await team()).roles[admin.userId]]).toEqual(['Give up your role?', 'admin'])
    expect((await browser.press('Become a member')).text).not.toContain('Invite somebody')
    expect((await team()).roles[admin.userId]).toBe('member')
  })

  test('that there are not cannot be given', async () => {
    const browser = await at(owner)
    for (const role of ['', 'root', 'Owner'])
      expect((await send(browser, `/team/members/${await memberId(member)}/role`, { role })).status).toBe(400)
    expect((await team()).roles[member.userId]).toBe('member')
  })
})

describe('removing', () => {
  test('asks first, and then ends what the member had at once', async () => {
    const theirs = await at(member)
    const browser = await at(admin)
    const asked = await browser.follow('Remove Person who is member')
    expect([asked.heading, (await team()).roles[member.userId]]).toEqual(['Remove a member?', 'member'])
    expect(asked.text).toContain(member.email)
    expect((await browser.press('Remove Person who is member')).text).toContain('The member is removed.')
    expect((await team()).roles[member.userId]).toBeUndefined()
    expect((await theirs.open('/team')).heading).toBe('Choose a workspace')
  })

  test('oneself is leaving, which everybody may but the last owner', async () => {
    const browser = await at(member)
    const asked = await browser.follow('Leave the workspace')
    expect([asked.heading, (await team()).roles[member.userId]]).toEqual(['Leave the workspace?', 'member'])
    const left = await browser.press('Leave Acme')
    expect([left.text.includes('You have left the workspace.'), left.text.includes('None is chosen.')]).toEqual([
      true,
      true,
    ])

    const last = await at(owner)
    expect(last.view.text).toContain('You are the only owner.')
    const id = await memberId(owner)
    expect((await last.open(`/team/members/${id}/remove`)).status).toBe(409)
    expect((await send(await at(owner), `/team/members/${id}/remove`)).status).toBe(409)
    expect(Object.keys((await team()).roles).sort()).toEqual([owner.userId, admin.userId].sort())
  })
})

describe('who may not', () => {
  test('as a member gets told so, and changes nothing', async () => {
    await house.invite(acme, 'guest@example.com', owner.userId)
    const before = await team()
    const [invitation] = await house.services.db.query<{ id: Uuid }>(
      sql`select id from invitation where workspace_id = ${acme}`,
    )
    const [browser, id] = [await at(member, `/team/members/${await memberId(member)}/remove`), await memberId(admin)]
    const answers = [
      await send(browser, '/team/invitations', { email: 'friend@example.com', role: 'admin' }),
      await send(browser, '/team/invitations', { email: '', role: '' }),
      await send(browser, `/team/invitations/${toId('inv', invitation!.id)}/withdraw`),
      await send(browser, `/team/members/${id}/role`, { role: 'member' }),
      await send(browser, `/team/members/${await memberId(member)}/role`, { role: 'owner', sure: 'yes' }),
      await send(browser, `/team/members/${id}/remove`),
      await browser.open(`/team/members/${id}/remove`),
    ]
    for (const view of answers)
      expect([
        view.status,
        view.heading,
        view.text.includes('Only owners and admins of the workspace manage its team.'),
      ]).toEqual([403, 'Not possible', true])
    expect(await team()).toEqual(before)
  })

  test('as an admin cannot touch owners or make one', async () => {
    const [browser, before] = [await at(admin), await team()]
    const ofOwner = await memberId(owner)
    expect(browser.view.document.querySelector(`a[href*="${ofOwner}"]`)).toBeNull()
    expect((await send(browser, `/team/members/${ofOwner}/remove`)).status).toBe(403)
    expect((await send(browser, `/team/members/${ofOwner}/role`, { role: 'member' })).status).toBe(403)
    for (const id of [await memberId(admin), await memberId(member)])
      expect((await send(browser, `/team/members/${id}/role`, { role: 'owner', sure: 'yes' })).status).toBe(403)
    expect(await team()).toEqual(before)
  })

  test('in one workspace finds nothing of another under the ids of that', async () => {
    const other = await house.workspace('Other')
    const stranger = await createPerson(house.services, other, 'member')
    await house.invite(other, 'guest@example.com', stranger.userId)
    const [invitation] = await house.services.db.query<{ id: Uuid }>(
      sql`select id from invitation where workspace_id = ${other}`,
    )
    const [browser, before] = [await at(owner), await team(other)]
    for (const id of [
      await memberId(stranger, other),
      toId('user', member.userId),
      'mem_00000000000000000000000000',
      'x',
      "mem_'--",
    ]) {
      const path = `/team/members/${encodeURIComponent(id)}`
      expect((await send(browser, `${path}/remove`)).status).toBe(404)
      expect((await send(browser, `${path}/role`, { role: 'admin' })).status).toBe(404)
      expect((await browser.open(`${path}/remove`)).status).toBe(404)
      await browser.open('/team')
    }
    for (const id of [toId('inv', invitation!.id), 'inv_00000000000000000000000000', 'x'])
      expect((await send(browser, `/team/invitations/${id}/withdraw`)).status).toBe(404)
    expect(await team(other)).toEqual(before)
  })

  test('by a page of somebody else, or by a form without its token, has sent nothing', async () => {
    const browser = await at(owner)
    const invitation = { email: 'eve@example.com', role: 'admin' }
    expect((await send(browser, '/team/invitations', { ...invitation, form_token: 'x' })).status).toBe(403)
    expect(
      (
        await send(browser, '/team/invitations', invitation, {
          origin: 'https://evil.example',
          'sec-fetch-site': 'cross-site',
        })
      ).status,
    ).toBe(403)
    expect((await send(browser, `/team/members/${await memberId(admin)}/remove`, { form_token: '' })).status).toBe(403)
    expect(await team()).toMatchObject({ roles: { [admin.userId]: 'admin' }, invited: [] })
  })

  test('as an owner of two workspaces changes the one that the page was about, or none', async () => {
    const other = await house.workspace('Other')
    await house.join(owner.userId, other, 'owner')
    const browser = await at(owner)
    const elsewhere = await at(owner, '/workspaces')
    await elsewhere.press('Use this workspace', { 'Your workspaces': 'Other' })
    const view = await browser.press('Invite', { 'E-mail address': 'guest@example.com' })
    expect([view.status, view.text.includes('Another workspace was chosen')]).toEqual([409, true])
    expect([(await team()).invited, (await team(other)).invited]).toEqual([[], []])
  })
})
