import { z } from 'zod'
import { renameWorkspace } from '../../../commands/workspaces/rename-workspace.ts'
import type { Role } from '../../../domain/member/member.ts'
import { refuse } from '../../../domain/refusal/refusal.ts'
import { WORKSPACE_NAME_MAX } from '../../../domain/workspace/workspace.ts'
import { toId } from '../../../kernel/ids.ts'
import { idOut, lineIn, textOut, timeOut } from '../../../operations/shapes.ts'
import { listInvitations } from '../../../queries/members/list-invitations.ts'
import { listMembers } from '../../../queries/members/list-members.ts'
import type { QueryContext } from '../../../queries/reading.ts'
import { getUsage } from '../../../queries/usage/get-usage.ts'
import { readWorkspace } from '../../../queries/workspaces.ts'
import { type CompatContext, defineCompat } from '../define.ts'
import { orElse } from '../fields.ts'
import { KEYWORD_SLUGS } from '../platforms.ts'
import { PLAN } from './usage.ts'

export const getAuthCompat = defineCompat({
  id: 'get-auth',
  method: 'GET',
  path: '/auth',
  access: 'read',
  summary: 'Identify the credential',
  description: 'Returns the workspace of the credential and what the credential may do.',
  tag: 'Organization',
  output: z.strictObject({
    organizationId: idOut('org'),
    name: textOut(WORKSPACE_NAME_MAX),
    plan: z.literal(PLAN),
    scopes: z
      .array(z.enum(['read', 'write']))
      .min(1)
      .max(2),
  }),
  run: async ({ caller }) => ({
    organizationId: toId('org', caller.workspaceId),
    name: caller.workspaceName,
    plan: 'prepaid' as const,
    scopes: caller.scope === 'write' ? ['read' as const, 'write' as const] : ['read' as const],
  }),
})

const orgOut = z
  .strictObject({
    organizationId: idOut('org'),
    name: textOut(WORKSPACE_NAME_MAX),
    plan: z.literal(PLAN),
    isAnnualPlan: z.literal(false),
    platforms: z.literal('all'),
    createdAt: timeOut,
    onboardingFinishedAt: timeOut.nullable().meta({ description: 'When the workspace was made.' }),
    freeTrialExpired: z.boolean().meta({ description: 'True if the welcome credit is used up and nothing was added.' }),
  })
  .meta({ id: 'Organization', description: 'The workspace.' })

export const getOrgCompat = defineCompat({
  id: 'get-org',
  method: 'GET',
  path: '/org',
  access: 'read',
  summary: 'Get the organization',
  description: 'Returns the workspace of the credential.',
  tag: 'Organization',
  output: orgOut,
  run: (context) => shownOrg(context),
})

export const updateOrgCompat = defineCompat({
  id: 'update-org',
  method: 'PATCH',
  path: '/org',
  access: 'write',
  roles: ['admin', 'owner'],
  summary: 'Rename the organization',
  description: 'Renames the workspace. Platforms are chosen by keyword: other than `all`, they are answered 501.',
  tag: 'Organization',
  body: z
    .strictObject({
      name: lineIn(1, 80).optional(),
      platforms: z
        .union([z.literal('all'), z.array(z.enum(KEYWORD_SLUGS as [string, ...string[]])).max(KEYWORD_SLUGS.length)])
        .optional(),
    })
    .refine((body) => Object.keys(body).length > 0, orElse('must hold at least one field')),
  output: orgOut,
  errors: ['feature_disabled'],
  run: async (context, { body: { name, platforms = 'all' } }) => {
    if (platforms !== 'all')
      return refuse('feature_disabled', 'platforms: a workspace collects all platforms; choose them by keyword.')
    if (name !== undefined) await renameWorkspace(context, name)
    return await shownOrg(context)
  },
})

async function shownOrg(context: CompatContext<'read'> | CompatContext<'write'>): Promise<z.input<typeof orgOut>> {
  const { name, createdAt } = await readWorkspace(context)
  const { stopped, lastTopUpAt } = await getUsage(context as QueryContext)
  return {
    organizationId: toId('org', context.workspaceId),
    name,
    plan: PLAN,
    isAnnualPlan: false,
    platforms: 'all',
    createdAt,
    onboardingFinishedAt: createdAt,
    freeTrialExpired: stopped && lastTopUpAt === null,
  }
}

/** The other interface has no owners. */
function roleOf(role: Role): 'admin' | 'member' {
  return role === 'member' ? 'member' : 'admin'
}

const roleOut = z.enum(['admin', 'member'])
const email = textOut(320)

export const listMembersCompat = defineCompat({
  id: 'list-members',
  method: 'GET',
  path: '/org/members',
  access: 'read',
  summary: 'List members',
  description: 'Returns everybody of the workspace. Owners are shown as admins.',
  tag: 'Organization',
  output: z.strictObject({
    data: z
      .array(
        z.strictObject({
          id: idOut('mem'),
          userId: idOut('user'),
          email: email.nullable(),
          firstName: textOut(200).nullable(),
          lastName: textOut(200).nullable(),
          role: roleOut,
          createdAt: timeOut,
        }),
      )
      .max(10_000),
  }),
  run: async (context) => ({
    data: (await listMembers(context)).map(({ id, userId, email, name, role, joinedAt }) => {
      const [firstName = '', ...others] = name.split(' ')
      const lastName = others.join(' ')
      return {
        id,
        userId,
        email,
        firstName: firstName || null,
        lastName: lastName || null,
        role: roleOf(role),
        createdAt: joinedAt,
      }
    }),
  }),
})

export const listInvitationsCompat = defineCompat({
  id: 'list-invitations',
  method: 'GET',
  path: '/org/members/invitations',
  access: 'read',
  roles: ['admin', 'owner'],
  summary: 'List invitations',
  description: 'Returns open invitations, oldest first.',
  tag: 'Organization',
  output: z.strictObject({
    data: z.array(z.strictObject({ id: idOut('inv'), email, role: roleOut, createdAt: timeOut })).max(10_000),
  }),
  run: async (context) => ({
    data: (await listInvitations(context, { mayInvite: false })).map(({ id, email, role, createdAt }) => ({
      id,
      email,
      role: roleOf(role),
      createdAt,
    })),
  }),
})

const TEAM = refuse('forbidden', 'API keys and tokens cannot change the team here. Use the dashboard.')

export const inviteMemberCompat = defineCompat({
  id: 'invite-member',
  method: 'POST',
  path: '/org/members/invite',
  access: 'write',
  scope: 'admin',
  summary: 'Invite a member',
  description: 'Always refused: no credential here has the scope `admin`.',
  tag: 'Organization',
  body: z.unknown(),
  output: z.strictObject({}),
  errors: ['forbidden'],
  refusal: TEAM,
  run: async () => TEAM,
})

export const removeMemberCompat = defineCompat({
  id: 'remove-member',
  method: 'DELETE',
  path: '/org/members/{id}',
  access: 'write',
  scope: 'admin',
  summary: 'Remove a member',
  description: 'Always refused: no credential here has the scope `admin`.',
  tag: 'Organization',
  params: { id: z.string().max(400).meta({ description: 'Id of a member.' }) },
  output: z.strictObject({}),
  errors: ['forbidden'],
  refusal: TEAM,
  run: async () => TEAM,
})
